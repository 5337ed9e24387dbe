import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildOpenapiDocument } from '../openapi/document.ts';

/** Describes a field of a form. `name` has a dot where the body nests. */
export interface FormField {
  readonly name: string;
  readonly type: string;
  readonly required: boolean;
  readonly words?: string;
  readonly choices?: readonly string[];
  readonly format?: string;
}

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly allOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly items?: Schema;
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
}

/** Lists the operations whose forms the console draws. */
const wanted: readonly string[] = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../console/forms.json'), 'utf8'),
);

const depth = 2;

const valuesOf = ({ enum: some = [], const: one }: Schema) => (one === undefined ? some : [one]);

/** Merges properties. A property of both has the choices of both. */
function mergedProperties(one: Schema['properties'] = {}, other: Schema['properties'] = {}): Schema['properties'] {
  const both = Object.keys(one).filter((name) => Object.hasOwn(other, name));
  const choices = both.map((name) => {
    const [mine = {}, theirs = {}] = [one[name], other[name]];
    const { const: _, ...rest } = { ...theirs, ...mine };
    const values = new Set([...valuesOf(mine), ...valuesOf(theirs)]);
    return [name, { ...rest, ...(values.size > 0 ? { enum: [...values], type: 'string' } : {}) }] as const;
  });
  return { ...other, ...one, ...Object.fromEntries(choices) };
}

/** Merges a schema with everything that it refers to, so that one list of properties is left. */
function merged(document: Document, schema: Schema): Schema {
  const { $ref, allOf, anyOf, oneOf, ...own } = schema;
  const target = $ref === undefined ? [] : [document.components.schemas[$ref.split('/').at(-1) ?? ''] ?? {}];
  const choices = [...(anyOf ?? []), ...(oneOf ?? [])].filter(({ type }) => type !== 'null');
  const parts = [...target, ...(allOf ?? []), ...choices].map((part) => merged(document, part));
  const withOwn = [own, ...parts.toReversed()];
  const properties = withOwn.reduce<Schema['properties']>((sum, part) => mergedProperties(sum, part.properties), {});
  const isChoice = choices.length > 1;
  return {
    ...Object.assign({}, ...withOwn.toReversed()),
    ...(Object.keys(properties ?? {}).length > 0 ? { properties } : {}),
    required: isChoice ? (own.required ?? []) : withOwn.flatMap(({ required = [] }) => required),
  };
}

function fieldsOf(document: Document, schema: Schema, prefix: string, level: number): FormField[] {
  const { properties = {}, required = [] } = merged(document, schema);
  return Object.entries(properties).flatMap(([key, property]) => {
    const one = merged(document, property);
    const name = prefix + key;
    const inner = level < depth ? fieldsOf(document, one, `${name}.`, level + 1) : [];
    if (inner.length > 0) return inner;
    const type = [one.type ?? 'object'].flat().find((word) => word !== 'null') ?? 'string';
    // A list has the choices of its elements.
    const element = type === 'array' && one.items ? merged(document, one.items) : one;
    const choices = valuesOf(element).map(String);
    const words = property.description ?? one.description;
    return {
      ...{ name, type, required: level === 1 && required.includes(key) },
      ...(words === undefined ? {} : { words: words.split(/(?<=\.) /)[0] ?? words }),
      ...(choices.length === 0 ? {} : { choices }),
      ...(one.format === undefined ? {} : { format: one.format }),
    };
  });
}

/** Returns the fields of each wanted operation, with the document's descriptions. */
export function describeForms(): Record<string, { summary: string; fields: FormField[] }> {
  const document = buildOpenapiDocument() as unknown as Document;
  const all = Object.values(document.paths).flatMap((methods) => Object.values(methods));
  return Object.fromEntries(
    wanted.map((id) => {
      const operation = all.find(({ operationId }) => operationId === id);
      if (!operation) throw new Error(`the document has no operation ${id}`);
      const schema = Object.values(operation.requestBody?.content ?? {})[0]?.schema ?? {};
      return [id, { summary: operation.summary, fields: fieldsOf(document, schema, '', 1) }];
    }),
  );
}
