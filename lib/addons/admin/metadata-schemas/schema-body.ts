import { hash } from 'node:crypto';
import * as v from 'valibot';
import { defined } from '#kernel/core/defined.ts';
import { described, named } from '#kernel/core/documented.ts';
import { type Definition, type MetadataSchema, metadataTypes } from '#kernel/core/metadata/definition.ts';
import { array, count, dateTime, identifier, listEnvelope, nullable, object, record } from '#kernel/core/schema.ts';

/** Shows metadata schemas to callers: in snake case to managers, and with four names in camel case to others. */

/** Limits the values of `eq` and `ne`. */
const maxValues = 500;

const value = v.union([v.string(), v.number(), v.boolean()]);
const bound = v.union([v.string(), v.number()]);

const type = described(v.picklist(metadataTypes), 'The type of the value. It cannot change.');
const isArray = described(
  v.optional(v.boolean(), false),
  '`true`: the value is an array, and each element has the type.',
);
const isOptional = described(v.optional(v.boolean(), true), '`false`: new objects must have the key.');
const isDeleted = described(
  v.optional(v.boolean(), false),
  '`true` retires the definition, which then checks nothing.',
);

const limits = {
  eq: described(nullable(array(value, maxValues)), 'The only values that are allowed.'),
  ne: described(nullable(array(value, maxValues)), 'Values that are not allowed.'),
  lt: described(nullable(bound), 'The value must be less than this number or date.'),
  lte: described(nullable(bound), 'The value must be at most this number or date.'),
  gt: described(nullable(bound), 'The value must be more than this number or date.'),
  gte: described(nullable(bound), 'The value must be at least this number or date.'),
};

const lengths = {
  object_type: described(nullable(identifier), 'The custom schema of an `object`.'),
  min_length: described(nullable(count), 'The least number of characters of a text.'),
  max_length: described(nullable(count), 'The largest number of characters of a text.'),
  exact_length: described(nullable(count), 'The number of characters of a text.'),
};

/** Definitions in management bodies and in project files. */
export const definitionBody = object({
  type,
  array: isArray,
  optional: isOptional,
  deleted: isDeleted,
  ...limits,
  ...lengths,
});

export type SentDefinition = v.InferOutput<typeof definitionBody>;

const properties = described(record(definitionBody), 'The definitions by the keys of the metadata.');
const definedOnly = nullable(v.boolean());

export const createMetadataSchemaBody = object({
  related_object: described(identifier, 'A resource with metadata, or the name of a custom schema.'),
  properties,
  allow_defined_only: described(definedOnly, '`true` refuses keys without a definition.'),
});

export const updateMetadataSchemaBody = object({
  properties: described(
    properties,
    'Each sent definition replaces the stored definition of its name. Other definitions stay.',
  ),
  allow_defined_only: described(definedOnly, '`true` refuses keys without a definition. Without it, nothing changes.'),
});

const camelCase = {
  objectType: described(nullable(identifier), 'The custom schema of an `object`.'),
  minLength: described(nullable(count), 'The least number of characters of a text.'),
  maxLength: described(nullable(count), 'The largest number of characters of a text.'),
  exactLength: described(nullable(count), 'The number of characters of a text.'),
};

/** Also accepts the names of replies under `/v1`, so that a reply that is sent back keeps its limits. */
const ownDefinition = v.pipe(
  object({ ...definitionBody.entries, ...camelCase }),
  v.transform(({ objectType, minLength, maxLength, exactLength, ...others }): SentDefinition => {
    const object_type = others.object_type ?? objectType;
    const min_length = others.min_length ?? minLength;
    const max_length = others.max_length ?? maxLength;
    const exact_length = others.exact_length ?? exactLength;
    return { ...others, object_type, min_length, max_length, exact_length };
  }),
);

const ownProperties = described(record(ownDefinition), 'The definitions by the keys of the metadata.');

export const createOwnSchemaBody = object({ ...createMetadataSchemaBody.entries, properties: ownProperties });

export const updateOwnSchemaBody = object({
  ...updateMetadataSchemaBody.entries,
  properties: described(
    ownProperties,
    'Each sent definition replaces the stored definition of its name. Other definitions stay.',
  ),
});

const shownLimits = {
  deleted: v.optional(v.boolean()),
  eq: v.optional(v.array(value)),
  ne: v.optional(v.array(value)),
  lt: v.optional(bound),
  lte: v.optional(bound),
  gt: v.optional(bound),
  gte: v.optional(bound),
};

const shown = { type: v.picklist(metadataTypes), array: v.boolean(), optional: v.boolean(), ...shownLimits };

const dates = { created_at: dateTime, updated_at: v.nullable(dateTime), object: v.literal('metadata_schema') };

function schemaWith<const E extends v.ObjectEntries>(names: E) {
  return v.object({
    id: v.string(),
    related_object: v.string(),
    properties: record(v.object({ ...shown, ...names })),
    allow_defined_only: v.boolean(),
    ...dates,
  });
}

export const managedSchema = named(
  'ManagedMetadataSchema',
  schemaWith({
    object_type: v.optional(v.string()),
    min_length: v.optional(count),
    max_length: v.optional(count),
    exact_length: v.optional(count),
  }),
);

export const managedSchemaList = named('ManagedMetadataSchemaList', listEnvelope(managedSchema));

export const shownSchema = named(
  'MetadataSchema',
  schemaWith({
    objectType: v.optional(v.string()),
    minLength: v.optional(count),
    maxLength: v.optional(count),
    exactLength: v.optional(count),
  }),
);

export const shownSchemaList = named(
  'MetadataSchemaList',
  v.object({
    object: v.literal('list'),
    data_ref: v.literal('schemas'),
    schemas: v.array(shownSchema),
    total: count,
  }),
);

/**
 * Returns the id of a schema. Each name of a project has a single id, even after the schema is deleted and made again.
 */
export function readMetadataSchemaId(name: string): string {
  return `ms_${hash('sha256', `metadata schema ${name}`, 'base64url').slice(0, 22)}`;
}

/** Returns the stored form, which leaves out defaults and empty limits. */
function toDefinition({ type, array, optional, deleted, ...others }: SentDefinition): Definition {
  const given = Object.entries(others).filter(([, one]) => one !== null && one !== undefined);
  return {
    type,
    ...(array ? { array: true as const } : {}),
    ...(optional ? {} : { required: true as const }),
    ...(deleted ? { deleted: true as const } : {}),
    ...Object.fromEntries(given),
  };
}

export function toDefinitions(sent: Readonly<Record<string, SentDefinition>>): Record<string, Definition> {
  return Object.fromEntries(Object.entries(sent).map(([key, one]) => [key, toDefinition(one)]));
}

function showDefinition({ type, array, required, ...others }: Definition) {
  return { type, array: array === true, optional: !required, ...others };
}

function showCamelCase({ object_type, min_length, max_length, exact_length, ...others }: Definition) {
  const renamed = {
    objectType: object_type,
    minLength: min_length,
    maxLength: max_length,
    exactLength: exact_length,
  };
  return { ...showDefinition(others), ...defined(renamed) };
}

/** Returns the definition of a reply, whose lengths may have names in camel case. */
export function toSnakeCase({
  objectType,
  minLength,
  maxLength,
  exactLength,
  ...others
}: Readonly<Record<string, unknown>>) {
  const renamed = { object_type: objectType, min_length: minLength, max_length: maxLength, exact_length: exactLength };
  return { ...defined(renamed), ...others };
}

function show<D>(name: string, schema: MetadataSchema, by: (definition: Definition) => D) {
  const { properties, allow_defined_only = false, created_at, updated_at = null } = schema;
  return {
    id: readMetadataSchemaId(name),
    related_object: name,
    properties: Object.fromEntries(Object.entries(properties).map(([key, one]) => [key, by(one)])),
    allow_defined_only,
    created_at,
    updated_at,
    object: 'metadata_schema' as const,
  };
}

/** Shows a schema to managers, and in project files. */
export function showManaged(name: string, schema: MetadataSchema) {
  return show(name, schema, showDefinition);
}

/** Shows a schema under `/v1`. */
export function showPublic(name: string, schema: MetadataSchema) {
  return show(name, schema, showCamelCase);
}
