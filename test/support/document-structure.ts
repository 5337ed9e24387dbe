import { createHash } from 'node:crypto';
import * as v from 'valibot';

/** Reduces the OpenAPI document to its structure, so that a change of words makes no difference. */

const words = ['description', 'summary', 'example', 'examples', 'tags', 'x-tagGroups'];
const methods = ['get', 'put', 'post', 'delete', 'patch'];

const operation = v.looseObject({ operationId: v.string() });
const documentOf = v.looseObject({
  paths: v.record(v.string(), v.record(v.string(), v.unknown())),
  components: v.record(v.string(), v.record(v.string(), v.unknown())),
});

/** Writes a value with sorted keys, without its words. A property may be called like one of the words. */
function structureText(value: unknown, isMapOfNames = false): string {
  if (Array.isArray(value)) return `[${value.map((one) => structureText(one)).join()}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const entries = Object.entries(value)
    .filter(([name]) => isMapOfNames || !words.includes(name))
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, inner]) => `${JSON.stringify(name)}:${structureText(inner, !isMapOfNames && name === 'properties')}`);
  return `{${entries.join()}}`;
}

const digest = (value: unknown) => createHash('sha256').update(structureText(value)).digest('base64url').slice(0, 16);

export type Structure = Readonly<Record<string, string>>;

/** Returns a digest for each operation, by its id with method and path, and for each component, by its place. */
export function structureOf(document: unknown): Structure {
  const { paths, components } = v.parse(documentOf, document);
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([method]) => methods.includes(method))
      .map(([method, one]): [string, string] => {
        const { operationId } = v.parse(operation, one);
        return [`${operationId} ${method.toUpperCase()} ${path}`, digest(one)];
      }),
  );
  // Examples of errors are words.
  const { examples: _, ...areas } = components;
  const parts = Object.entries(areas).flatMap(([area, named]) =>
    Object.entries(named).map(([name, one]): [string, string] => [`components.${area}.${name}`, digest(one)]),
  );
  return Object.fromEntries([...operations, ...parts].sort(([a], [b]) => (a < b ? -1 : 1)));
}
