import * as v from 'valibot';
import { kindOfEvent } from '../earning/earning-rule.ts';
import { list } from '../entries/list.ts';
import { identifier, record } from '../schema.ts';
import { eventSchemaItem, eventSchemas, metadataType } from './event-schema.ts';

const eventEntry = v.object({ name: identifier, metadata: record(metadataType) });

export const eventSchemaList = list('event_schema', eventEntry, {
  called: 'event',
  names: ['name'],
  *rules({ name }) {
    if (kindOfEvent(name) !== 'custom') yield `name must not be ${name}, by which others earn`;
  },
  together(entries, { projectId }) {
    const own = Object.fromEntries(entries.map(({ name, metadata }) => [name, metadata]));
    return {
      key: eventSchemas(projectId),
      item: { events: own },
      versioned: true,
      // Keeps stored events that the file does not have.
      once: ['events'],
      guards: ['events'],
      places: ({ events }) => ({ events: { ...v.parse(eventSchemaItem.entries.events, events), ...own } }),
    };
  },
  kinds: ['EVENT_SCHEMA'],
  entries: ({ events }) =>
    Object.entries(v.parse(eventSchemaItem.entries.events, events)).map(([name, metadata]) => ({ name, metadata })),
});
