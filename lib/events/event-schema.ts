import * as v from 'valibot';
import { kindOfEvent } from '../earning/earning-rule.ts';
import { detailsOf, ServiceError } from '../errors.ts';
import type { Project } from '../projects/project.ts';
import { date, dateTime, record } from '../schema.ts';
import { parseStored } from '../table/item.ts';
import { kind } from '../table/kind.ts';
import type { Table } from '../table/table.ts';
import { Versioned } from '../table/versioned.ts';

export const metadataType = v.picklist(['string', 'number', 'boolean', 'date']);

/** As stored: all events of a project in one item, by name, each with the types of its metadata. */
export const eventSchemaItem = v.object({ events: record(record(metadataType)) });

export const eventSchemas = kind('EVENT_SCHEMA', eventSchemaItem);

/** A schema may have 380 KB, and each event asks for one of its entries. */
const schemasByVersion = new Versioned((item) => parseStored(eventSchemaItem, item).events);

export type EventDefinition = Readonly<Record<string, v.InferOutput<typeof metadataType>>>;

const fits = {
  string: v.string(),
  number: v.number(),
  boolean: v.boolean(),
  date: v.union([date, dateTime]),
} as const;

const described = {
  string: 'a string',
  number: 'a number',
  boolean: 'true or false',
  date: 'a date (YYYY-MM-DD) or a date and time with its offset',
} as const;

/** What the event's metadata may be; 400 `event_not_defined` for an event that the project does not have. */
export async function findEvent(table: Table, { id }: Project, event: string): Promise<EventDefinition> {
  const { found } = await schemasByVersion.read(table, [eventSchemas(id)]);
  const events = found[0] ?? {};
  const definition = kindOfEvent(event) === 'custom' && Object.hasOwn(events, event) ? events[event] : undefined;
  if (!definition) {
    throw new ServiceError('event_not_defined', {
      details: "event must be the name of a custom event in the project's event schema",
    });
  }
  return definition;
}

/** How much of an event's keys an error names, in characters. */
const maxNamed = 300;

/** 400 `metadata_validation_failed`, with every key that does not fit. */
export function checkMetadata(definition: EventDefinition, metadata: Readonly<Record<string, unknown>>): void {
  const known = Object.keys(definition).join(', ') || 'none';
  const named = known.length > maxNamed ? `${known.slice(0, maxNamed).toWellFormed()}…` : known;
  const faults = Object.entries(metadata).flatMap(([key, value]) => {
    const type = Object.hasOwn(definition, key) ? definition[key] : undefined;
    if (!type) return [`metadata.${key} is not defined for this event, which has ${named}`];
    return v.is(fits[type], value) ? [] : [`metadata.${key} must be ${described[type]}`];
  });
  if (faults.length > 0) throw new ServiceError('metadata_validation_failed', { details: detailsOf(faults) });
}
