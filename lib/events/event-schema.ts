import * as v from 'valibot';
import type { Table } from '../dynamodb.ts';
import { detailsOf, ServiceError } from '../errors.ts';
import type { Project } from '../projects/project.ts';
import { date, dateTime, record } from '../schema.ts';
import { keys } from '../table.ts';

const metadataType = v.picklist(['string', 'number', 'boolean', 'date']);

/** As stored: all events of a project in one item, by name, each with the types of its metadata. */
export const eventSchemaItem = v.object({ events: record(record(metadataType)) });

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

/** What the event's metadata may be; 400 `event_not_defined` for an event that the project does not have (ruling F.2). */
export async function findEvent(table: Table, { id }: Project, event: string): Promise<EventDefinition> {
  const events = (await table.get(keys.eventSchema(id), eventSchemaItem))?.events ?? {};
  const definition = Object.hasOwn(events, event) ? events[event] : undefined;
  if (!definition) {
    throw new ServiceError('event_not_defined', {
      details: "event must be the name of a custom event in the project's event schema",
    });
  }
  return definition;
}

/** 400 `metadata_validation_failed`, with every key that does not fit. */
export function checkMetadata(definition: EventDefinition, metadata: Readonly<Record<string, unknown>>): void {
  const faults = Object.entries(metadata).flatMap(([key, value]) => {
    const type = Object.hasOwn(definition, key) ? definition[key] : undefined;
    if (!type) return [`metadata.${key} is not defined for this event, which has ${known(definition)}`];
    return v.is(fits[type], value) ? [] : [`metadata.${key} must be ${described[type]}`];
  });
  if (faults.length > 0) throw new ServiceError('metadata_validation_failed', { details: detailsOf(faults) });
}

function known(definition: EventDefinition): string {
  return Object.keys(definition).join(', ') || 'none';
}
