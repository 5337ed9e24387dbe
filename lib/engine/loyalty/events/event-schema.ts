import * as v from 'valibot';
import { classifyEvent } from '#engine/ledger/earning-events.ts';
import type { Project } from '#kernel/access/projects/project.ts';
import { joinFaults, ServiceError } from '#kernel/core/errors.ts';
import { date, dateTime, record } from '#kernel/core/schema.ts';
import { parseStored } from '#kernel/table/item.ts';
import { KeptItems } from '#kernel/table/kept.ts';
import { projectKind } from '#kernel/table/kind.ts';
import { kinds } from '#kernel/table/kind-names.ts';
import type { Table } from '#kernel/table/table.ts';

export const metadataType = v.picklist(['string', 'number', 'boolean', 'date', 'datetime']);

/** A property of an event's metadata: its type, and whether it is required. */
export const metadataProperty = v.union([metadataType, v.object({ type: metadataType, required: v.literal(true) })]);

export const eventDates = v.object({ created_at: v.optional(dateTime), updated_at: v.optional(dateTime) });

/** The stored schemas: all events of a project in one item, by name, each with its metadata properties. */
export const eventSchemaItem = v.object({
  events: record(record(metadataProperty)),
  dates: v.optional(record(eventDates), {}),
  version: v.optional(v.string()),
});

export const eventSchemas = projectKind(kinds.eventSchema, eventSchemaItem);

/** Reads schemas by version. A schema may have 380 KB, and each event needs one of its entries. */
const schemasByVersion = new KeptItems((item) => parseStored(eventSchemaItem, item).events, { keepsNothing: true });

export type EventDefinition = Readonly<Record<string, v.InferOutput<typeof metadataProperty>>>;

type Property = EventDefinition[string];

export function readPropertyType(property: Property): v.InferOutput<typeof metadataType> {
  return typeof property === 'string' ? property : property.type;
}

export function isRequired(property: Property): boolean {
  return typeof property !== 'string';
}

const fits = {
  string: v.string(),
  number: v.number(),
  boolean: v.boolean(),
  date: v.union([date, dateTime]),
  datetime: dateTime,
} as const;

const described = {
  string: 'a string',
  number: 'a number',
  boolean: 'true or false',
  date: 'a date (YYYY-MM-DD) or a date and time with its offset',
  datetime: 'a date and time with its offset',
} as const;

/** Returns the event's metadata schema. 400 `event_not_defined` for an unknown event. */
export async function findEvent(table: Table, { id }: Project, event: string): Promise<EventDefinition> {
  const [events = {}] = await schemasByVersion.read(table, [eventSchemas(id)]);
  const definition = classifyEvent(event) === 'custom' && Object.hasOwn(events, event) ? events[event] : undefined;
  if (!definition) {
    throw new ServiceError('event_not_defined', {
      details: "event must be the name of a custom event in the project's event schema",
    });
  }
  return definition;
}

/** Limits the characters of an event's keys in an error. */
const maxNamed = 300;

/** Throws 400 `metadata_validation_failed` with every wrong key. */
export function checkMetadata(definition: EventDefinition, metadata: Readonly<Record<string, unknown>>): void {
  const known = Object.keys(definition).join(', ') || 'none';
  const named = known.length > maxNamed ? `${known.slice(0, maxNamed).toWellFormed()}…` : known;
  const faults = Object.entries(metadata).flatMap(([key, value]) => {
    const property = Object.hasOwn(definition, key) ? definition[key] : undefined;
    if (!property) return [`metadata.${key} is not defined for this event, which has ${named}`];
    const type = readPropertyType(property);
    return v.is(fits[type], value) ? [] : [`metadata.${key} must be ${described[type]}`];
  });
  for (const [key, property] of Object.entries(definition)) {
    if (isRequired(property) && !Object.hasOwn(metadata, key)) faults.push(`metadata.${key} is required by this event`);
  }
  if (faults.length > 0) throw new ServiceError('metadata_validation_failed', { details: joinFaults(faults) });
}
