import * as v from 'valibot';
import { metadataSchemasItem, metadataSchemasOf } from '#kernel/access/projects/project.ts';
import { defined } from '#kernel/core/defined.ts';
import { isRecord } from '#kernel/core/is-record.ts';
import { type MetadataSchema, type MetadataSchemas, schemaOf } from '#kernel/core/metadata/definition.ts';
import { dateTime, identifier, nullable, record } from '#kernel/core/schema.ts';
import { describeList } from '#kernel/kit/entries/list.ts';
import type { HeldEntries } from '#kernel/kit/entries/traits.ts';
import { kinds } from '#kernel/table/kind-names.ts';
import { definitionBody, managedSchema, showManaged, shownSchema, toDefinitions, toSnakeCase } from './schema-body.ts';
import { findSchemaFaults, findTotalFault, findTypeChanges } from './schema-faults.ts';

const key = 'metadata_schemas';

const schemaEntry = v.object({
  id: v.optional(identifier),
  related_object: identifier,
  properties: record(definitionBody),
  allow_defined_only: nullable(v.boolean()),
  created_at: v.optional(dateTime),
  updated_at: nullable(dateTime),
});

type Entry = v.InferOutput<typeof schemaEntry>;

function schemaOfEntry({ properties, allow_defined_only, created_at, updated_at }: Entry, now: string): MetadataSchema {
  return {
    properties: toDefinitions(properties),
    ...(allow_defined_only ? { allow_defined_only } : {}),
    created_at: created_at ?? now,
    ...(updated_at ? { updated_at } : {}),
  };
}

function schemasOf(entries: readonly Entry[], now: string): Record<string, MetadataSchema> {
  return Object.fromEntries(entries.map((entry) => [entry.related_object, schemaOfEntry(entry, now)]));
}

/** Returns the schemas of a file. Entries without a date get the given date. */
export function readFileSchemas(file: HeldEntries, now: string): MetadataSchemas {
  return schemasOf(file.all(key).filter(metadataSchemaEntries.isEntry), now);
}

/** Returns the stored schemas with the schemas of the file. Definitions that the file lacks stay, and so do dates. */
export function withFileSchemas(stored: MetadataSchemas, own: MetadataSchemas): MetadataSchemas {
  const merged = Object.entries(own).map(([name, schema]) => {
    const before = schemaOf(stored, name);
    if (!before) return [name, schema] as const;
    const { created_at, updated_at = schema.updated_at } = before;
    const properties = { ...before.properties, ...schema.properties };
    return [name, { ...schema, properties, created_at, ...(updated_at ? { updated_at } : {}) }] as const;
  });
  return { ...stored, ...Object.fromEntries(merged) };
}

function storedSchemas(item: unknown): MetadataSchemas {
  return v.parse(metadataSchemasItem, item).schemas;
}

/** Both replies. The API's own has other names for lengths. */
const definitionOfReply = v.union([managedSchema, shownSchema].map(({ entries }) => entries.properties.value));

/** Returns definitions of either reply in the names of files. */
function inSnakeCase(properties: unknown): unknown {
  if (!isRecord(properties)) return properties;
  return Object.fromEntries(
    Object.entries(properties).map(([key, one]) => [key, isRecord(one) ? toSnakeCase(one) : one]),
  );
}

export const metadataSchemaEntries = describeList(key, schemaEntry, {
  called: 'metadata schema',
  names: ['related_object'],
  shown: v.object({ ...managedSchema.entries, properties: record(definitionOfReply) }),
  fromReply: ({ properties, ...reply }) => ({ ...reply, ...defined({ properties: inSnakeCase(properties) }) }),
  *against({ related_object: name }, file) {
    const schemas = readFileSchemas(file, '');
    yield* findSchemaFaults(schemas, name);
    const total = Object.keys(schemas)[0] === name ? findTotalFault(schemas) : undefined;
    if (total) yield total;
  },
  together(entries, { projectId, firstLoadedAt }) {
    const own = schemasOf(entries, firstLoadedAt);
    return {
      key: metadataSchemasOf(projectId),
      item: { schemas: own },
      // Keeps stored schemas that the file does not have.
      once: ['schemas'],
      guards: ['schemas'],
      places: (stored) => ({ schemas: withFileSchemas(storedSchemas(stored), own) }),
      faults: (stored) =>
        Object.entries(own).flatMap(([name, { properties }]) => {
          const before = schemaOf(storedSchemas(stored), name);
          const faults = before ? [...findTypeChanges(before.properties, properties)] : [];
          return faults.map((fault) => `${key} ${name}: ${fault}`);
        }),
    };
  },
  kinds: [kinds.metadataSchemas],
  entries(item) {
    const named = Object.entries(storedSchemas(item)).sort(([one], [other]) => (one < other ? -1 : 1));
    return named.map(([name, schema]) => showManaged(name, schema));
  },
});
