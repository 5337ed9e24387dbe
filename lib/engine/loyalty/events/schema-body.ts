import * as v from 'valibot';
import { classifyEvent } from '#engine/ledger/earning-events.ts';
import { described, named } from '#kernel/core/documented.ts';
import { dateTime, identifier, listEnvelope, object, record } from '#kernel/core/schema.ts';
import { type EventDefinition, isRequired, metadataType, readPropertyType } from './event-schema.ts';

/** Shows custom event schemas to callers. */

/** Limits the properties of one event, as in the public interface. */
const maxProperties = 100;

const property = object({
  type: metadataType,
  optional: described(v.optional(v.boolean(), true), '`false`: the event must have it.'),
  deleted: described(v.optional(v.boolean(), false), '`true` removes the property.'),
});

const schema = object({
  properties: v.pipe(record(property), v.maxEntries(maxProperties, `must have at most ${maxProperties} properties`)),
});

export type SentSchema = v.InferOutput<typeof schema>;

const eventName = v.pipe(
  identifier,
  v.check((name) => classifyEvent(name) === 'custom', 'must not be the name of an automatic event'),
);

export const createSchemaBody = object({
  name: described(eventName, 'The name that events use. Unique in the project.'),
  schema,
});

export const updateSchemaBody = object({ schema });

export const eventSchema = named(
  'CustomEventSchema',
  v.object({
    id: v.string(),
    name: v.string(),
    schema: v.object({ properties: record(v.object({ type: metadataType, optional: v.boolean() })) }),
    created_at: v.nullable(dateTime),
    updated_at: v.nullable(dateTime),
    object: v.literal('custom-event-schema'),
  }),
);

export type ShownSchema = v.InferOutput<typeof eventSchema>;

export const eventSchemaList = named('CustomEventSchemaList', listEnvelope(eventSchema));

/** Returns the stored form, which omits defaults. */
export function toDefinition({ properties }: SentSchema): EventDefinition {
  return Object.fromEntries(
    Object.entries(properties)
      .filter(([, { deleted }]) => !deleted)
      .map(([key, { type, optional }]) => [key, optional ? type : { type, required: true as const }]),
  );
}

export function showProperties(definition: EventDefinition): ShownSchema['schema']['properties'] {
  return Object.fromEntries(
    Object.entries(definition).map(([key, property]) => [
      key,
      { type: readPropertyType(property), optional: !isRequired(property) },
    ]),
  );
}
