import { buildOpenapiDocument } from '../openapi/document.ts';

/** Writes the document as types, in the shape that `openapi-fetch` reads. See D-129. */

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: boolean | Schema;
  readonly items?: Schema | boolean;
  readonly allOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly schema: Schema;
}

type Content = Readonly<Record<string, { readonly schema?: Schema }>>;

interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly required?: boolean; readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
}

const quoted = (text: unknown) => JSON.stringify(text);
const anyOf = (parts: readonly string[]) => [...new Set(parts)].join(' | ') || 'never';
const plain: Readonly<Record<string, string>> = {
  string: 'string',
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
  null: 'null',
};

/** A field that may be left out may also be undefined, because neither JSON nor a query has such a value. */
function fieldType(name: string, isRequired: boolean, schema: Schema): string {
  return `${quoted(name)}${isRequired ? ':' : '?: undefined |'} ${typeOf(schema)};`;
}

function objectType({ properties = {}, required = [], additionalProperties }: Schema): string {
  const fields = Object.entries(properties).map(([name, schema]) => fieldType(name, required.includes(name), schema));
  const rest = typeof additionalProperties === 'object' ? typeOf(additionalProperties) : 'unknown';
  if (fields.length === 0) return `Record<string, ${rest}>`;
  return `{ ${fields.join(' ')} }`;
}

function typeOf(schema: Schema | boolean | undefined): string {
  if (schema === undefined || typeof schema === 'boolean') return 'unknown';
  if (schema.$ref !== undefined) return `components['schemas'][${quoted(schema.$ref.split('/').at(-1))}]`;
  if (schema.const !== undefined) return quoted(schema.const);
  if (schema.enum !== undefined) return anyOf(schema.enum.map(quoted));
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return `(${anyOf(choices.map(typeOf))})`;
  if (schema.allOf) return schema.allOf.map((part) => `(${typeOf(part)})`).join(' & ');
  const types = [schema.type ?? (schema.properties ? 'object' : 'any')].flat();
  return anyOf(
    types.map((type) => {
      if (type === 'object') return objectType(schema);
      if (type === 'array') return `(${typeOf(schema.items)})[]`;
      return plain[type] ?? 'unknown';
    }),
  );
}

function contentType(content: Content | undefined): string {
  const entries = Object.entries(content ?? {}).map(([type, { schema }]) => `${quoted(type)}: ${typeOf(schema)};`);
  return entries.length === 0 ? 'never' : `{ ${entries.join(' ')} }`;
}

function operationType({ parameters = [], requestBody, responses }: Operation): string {
  const places = ['path', 'query'].map((place) => {
    const own = parameters.filter((one) => one.in === place);
    const fields = own.map(({ name, required = false, schema }) => fieldType(name, required, schema));
    return `${place}${own.some(({ required }) => required) ? '' : '?'}: { ${fields.join(' ')} };`;
  });
  const body = requestBody
    ? `requestBody${requestBody.required ? '' : '?'}: { content: ${contentType(requestBody.content)} };`
    : 'requestBody?: never;';
  const replies = Object.entries(responses)
    .filter(([status]) => status.startsWith('2'))
    .map(([status, { content }]) => `${status}: { content: ${contentType(content)} };`);
  const refused = "default: { content: { 'application/json': components['schemas']['Error'] } };";
  return `{ parameters: { ${places.join(' ')} }; ${body} responses: { ${replies.join(' ')} ${refused} } }`;
}

/** Returns the module of types. */
export function writeTypes(): string {
  const document = buildOpenapiDocument() as unknown as {
    paths: Record<string, Record<string, Operation>>;
    components: { schemas: Record<string, Schema> };
  };
  const schemas = Object.entries(document.components.schemas).map(
    ([name, schema]) => `    ${quoted(name)}: ${typeOf(schema)};`,
  );
  const paths = Object.entries(document.paths).map(([path, methods]) => {
    const own = Object.entries(methods).map(([method, operation]) => `${method}: ${operationType(operation)};`);
    return `  ${quoted(path)}: { ${own.join('\n    ')} };`;
  });
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(
      ([method, { operationId }]) => `  ${quoted(operationId)}: paths[${quoted(path)}][${quoted(method)}];`,
    ),
  );
  return `export interface components {\n  schemas: {\n${schemas.join('\n')}\n  };\n}\nexport interface paths {\n${paths.join('\n')}\n}\nexport interface operations {\n${operations.join('\n')}\n}\n`;
}
