/**
 * A tool of an agent: one operation of the API. The list is built from the operations, and kept next to the bundle as
 * JSON.
 */
export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly method: string;
  /** The path of the operation. `{name}` is replaced by the argument of this name. */
  readonly path: string;
  /** The arguments that go into the query. An argument `body` is the body. */
  readonly query: readonly string[];
  /** The operation, where the tool has another name. */
  readonly operation?: string;
  /** Fields that every body has, whatever the caller sends. */
  readonly fixed?: Readonly<Record<string, unknown>>;
  /** True if the tool changes data. The value defines whether a second call changes more. */
  readonly acts?: 'once' | 'again';
  /** The add-on of the operation. */
  readonly addOn?: string;
  /** The arguments as JSON Schema. The API itself checks them. */
  readonly inputSchema: Readonly<Record<string, unknown>>;
}

export const toolsFile = 'tools.json';

export const mcpPath = '/mcp';
