import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type * as v from 'valibot';

/** Describes what is stored of every kind, so that two releases can be compared. */

interface Field {
  required: boolean;
  shape: Shape;
}

export type Shape =
  | string
  | { type: string; fields: Readonly<Record<string, Field>> }
  | { type: string; of: readonly Shape[] };

const wrappers = ['optional', 'exact_optional', 'nullish', 'undefinedable'];

interface Described {
  type: string;
  wrapped?: unknown;
  entries?: Readonly<Record<string, unknown>>;
  item?: unknown;
  value?: unknown;
  options?: readonly unknown[];
  literal?: unknown;
  items?: readonly unknown[];
}

/** Stops at schemas that contain themselves, such as the schemas of rules. */
function shapeOf(schema: unknown, depth = 0): Shape {
  const { type, wrapped, entries, item, value, options, literal, items } = schema as Described;
  if (type === 'lazy' || depth > 12) return type;
  const inner = (one: unknown) => shapeOf(one, depth + 1);
  if (entries) {
    const fields = Object.entries(entries).map(([name, one]) => {
      const isOptional = wrappers.includes((one as Described).type);
      return [name, { required: !isOptional, shape: isOptional ? inner((one as Described).wrapped) : inner(one) }];
    });
    return { type, fields: Object.fromEntries(fields) };
  }
  if (type === 'picklist') return { type, of: (options ?? []).map(String).toSorted() };
  if (type === 'literal') return { type, of: [String(literal)] };
  const parts = wrapped ? [wrapped] : item ? [item] : (items ?? options ?? (type === 'record' ? [value] : []));
  return parts.length === 0 ? type : { type, of: parts.map(inner) };
}

const lib = join(import.meta.dirname, '../../lib');

interface Found {
  kind: string;
  /** The name of the export. */
  name: string;
  schema: v.GenericSchema;
}

/** Finds the kinds that files of lib export. */
async function kindsOfLib(): Promise<Found[]> {
  const files = readdirSync(lib, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
  const found: Found[] = [];
  for (const file of files.toSorted()) {
    const exported: Readonly<Record<string, unknown>> = await import(pathToFileURL(join(lib, file)).href);
    // A resource has its kinds inside.
    const kinds = Object.entries(exported).flatMap(([name, one]) => [
      [name, one] as const,
      ...Object.entries(Object(one))
        .filter(([inner]) => ['few', 'many', 'claim', 'counter'].includes(inner))
        .map(([inner, own]) => [`${name}.${inner}`, own] as const),
    ]);
    for (const [name, one] of kinds) {
      if (typeof one !== 'function' || !('kind' in one && 'schema' in one)) continue;
      found.push({ kind: String(one.kind), name, schema: one.schema as v.GenericSchema });
    }
  }
  return found;
}

/** Returns the shapes of each kind that a file of lib exports. One name may have several shapes. */
export async function storedShapes(): Promise<Readonly<Record<string, Shape>>> {
  const found = (await kindsOfLib()).map(({ kind, name, schema }) => [`${kind} ${name}`, shapeOf(schema)] as const);
  return Object.fromEntries(found.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** Names the differences that stop one release from reading the other's items. */
export function differencesIn(before: Shape, today: Shape, place: string): string[] {
  if (typeof before === 'object' && typeof today === 'object' && before.type === today.type) {
    if ('fields' in before && 'fields' in today) return fieldDifferences(before, today, place);
    if ('of' in before && 'of' in today && before.of.length === today.of.length) {
      return before.of.flatMap((one, index) => differencesIn(one, today.of[index] ?? 'nothing', `${place}[]`));
    }
  }
  return JSON.stringify(before) === JSON.stringify(today) ? [] : [`${place} has another type`];
}

type Fields = Extract<Shape, { fields: unknown }>;

function fieldDifferences(before: Fields, today: Fields, place: string): string[] {
  const known = Object.entries(before.fields).flatMap(([name, { required, shape }]) => {
    const now = today.fields[name];
    const at = `${place}.${name}`;
    if (now === undefined) return required ? [`${at} is missing, and the release before needs it`] : [];
    const needs = required === now.required ? [] : [`${at} is ${now.required ? 'required now' : 'optional now'}`];
    return [...needs, ...differencesIn(shape, now.shape, at)];
  });
  const added = Object.entries(today.fields)
    .filter(([name]) => !(name in before.fields))
    .flatMap(([name, { required }]) => {
      if (before.type === 'strict_object') return [`${place}.${name} is new, and the release before refuses it`];
      return required ? [`${place}.${name} is new and required: stored items have none`] : [];
    });
  return [...known, ...added];
}

/** Returns the schemas by which lib reads stored items, by the name of the kind. */
export async function storedSchemas(): Promise<ReadonlyMap<string, readonly v.GenericSchema[]>> {
  const groups = Map.groupBy(await kindsOfLib(), ({ kind }) => kind);
  return new Map([...groups].map(([kind, some]) => [kind, some.map(({ schema }) => schema)]));
}
