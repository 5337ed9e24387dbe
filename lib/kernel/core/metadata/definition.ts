import * as v from 'valibot';
import { dateTime, record } from '../schema.ts';

/** The stored form of metadata schemas. All schemas of a project are one item, by name. */

export const metadataTypes = [
  'string',
  'number',
  'boolean',
  'date',
  'datetime',
  'geopoint',
  'image_url',
  'object',
] as const;

export type MetadataType = (typeof metadataTypes)[number];

/** The resources with metadata. A schema with another name is a custom schema, which definitions may nest. */
export const standardResources = [
  'campaign',
  'customer',
  'earning_rule',
  'loyalty_tier',
  'order',
  'order_item',
  'product',
  'promotion_tier',
  'publication',
  'redemption',
  'reward',
  'voucher',
] as const;

export type MetadataResource = (typeof standardResources)[number];

export function isStandard(name: string): name is MetadataResource {
  return standardResources.some((one) => one === name);
}

const value = v.union([v.string(), v.number(), v.boolean()]);
const bound = v.union([v.string(), v.number()]);

/**
 * A key of metadata. Defaults are left out: a definition without `array` and `required` describes an optional single
 * value.
 */
const definition = v.object({
  type: v.picklist(metadataTypes),
  array: v.optional(v.literal(true)),
  required: v.optional(v.literal(true)),
  /** A retired definition checks nothing. Its key keeps its type. */
  deleted: v.optional(v.literal(true)),
  object_type: v.optional(v.string()),
  eq: v.optional(v.array(value)),
  ne: v.optional(v.array(value)),
  lt: v.optional(bound),
  lte: v.optional(bound),
  gt: v.optional(bound),
  gte: v.optional(bound),
  min_length: v.optional(v.number()),
  max_length: v.optional(v.number()),
  exact_length: v.optional(v.number()),
});

export type Definition = v.InferOutput<typeof definition>;

const metadataSchema = v.object({
  properties: record(definition),
  allow_defined_only: v.optional(v.literal(true)),
  created_at: dateTime,
  updated_at: v.optional(dateTime),
});

export type MetadataSchema = v.InferOutput<typeof metadataSchema>;

export const metadataSchemas = record(metadataSchema);

export type MetadataSchemas = v.InferOutput<typeof metadataSchemas>;

/** Returns the schema of this name. Callers choose the names, so a prototype may have a property of the same name. */
export function schemaOf(schemas: MetadataSchemas, name: string): MetadataSchema | undefined {
  return Object.hasOwn(schemas, name) ? schemas[name] : undefined;
}
