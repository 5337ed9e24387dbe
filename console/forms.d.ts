/** The build generates this module from the document of the API. */
declare module 'tessera:forms' {
  export interface FormField {
    readonly name: string;
    readonly type: string;
    readonly required: boolean;
    readonly words?: string;
    readonly choices?: readonly string[];
    readonly format?: string;
  }
  export const forms: Readonly<Record<string, { readonly summary: string; readonly fields: readonly FormField[] }>>;
}
declare module '*.css';
