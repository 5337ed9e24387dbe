import * as v from 'valibot';
import { classifyEvent } from '#engine/ledger/earning-events.ts';
import { defined } from '#kernel/core/defined.ts';
import { identifier, record } from '#kernel/core/schema.ts';
import { describeList } from '#kernel/kit/entries/list.ts';
import { kinds } from '#kernel/table/kind-names.ts';
import { eventDates, eventSchemaItem, eventSchemas, metadataProperty } from './event-schema.ts';
import { eventSchema, toDefinition, updateSchemaBody } from './schema-body.ts';

const eventEntry = v.object({ name: identifier, metadata: record(metadataProperty), ...eventDates.entries });

export const eventSchemaEntries = describeList('event_schema', eventEntry, {
  called: 'event',
  names: ['name'],
  shown: eventSchema,
  fromReply({ schema, created_at, updated_at, ...reply }) {
    const dates = defined({ created_at: created_at ?? undefined, updated_at: updated_at ?? undefined });
    const said = v.safeParse(updateSchemaBody, { schema });
    return { ...(said.success ? { metadata: toDefinition(said.output.schema) } : {}), ...reply, ...dates };
  },
  *rules({ name }) {
    if (classifyEvent(name) !== 'custom') yield `name must not be ${name}, which is the name of an automatic event`;
  },
  together(entries, { projectId }) {
    const own = Object.fromEntries(entries.map(({ name, metadata }) => [name, metadata]));
    const dates = Object.fromEntries(
      entries.flatMap(({ name, created_at, updated_at }) => {
        const known = Object.entries({ created_at, updated_at }).filter(([, date]) => date !== undefined);
        return known.length > 0 ? [[name, Object.fromEntries(known)]] : [];
      }),
    );
    return {
      key: eventSchemas(projectId),
      item: { events: own, dates },
      versioned: true,
      // Keeps stored events that the file does not have, and the dates of existing events.
      once: ['events', 'dates'],
      guards: ['events', 'dates'],
      places: (stored) => {
        const before = v.parse(eventSchemaItem, stored);
        return { events: { ...before.events, ...own }, dates: { ...dates, ...before.dates } };
      },
    };
  },
  kinds: [kinds.eventSchema],
  entries(item) {
    const { events, dates } = v.parse(eventSchemaItem, item);
    return Object.entries(events).map(([name, metadata]) => ({
      name,
      metadata,
      ...(Object.hasOwn(dates, name) ? dates[name] : {}),
    }));
  },
});
