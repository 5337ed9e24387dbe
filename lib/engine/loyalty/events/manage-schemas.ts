import type * as v from 'valibot';
import { readSchemaId } from '#engine/ledger/earning-events.ts';
import { managedProjectOr404 } from '#kernel/access/users/manager.ts';
import { notFound, ServiceError } from '#kernel/core/errors.ts';
import { wrapList } from '#kernel/core/schema.ts';
import type { Managing } from '#kernel/http/context.ts';
import { again, retryOptimistically } from '#kernel/table/conflicts.ts';
import { change, commit, type Effect, insert } from '#kernel/table/effects.ts';
import { explainItemSize } from '#kernel/table/item-size.ts';
import { read } from '#kernel/table/read.ts';
import { newVersion } from '#kernel/table/version-copies.ts';
import { versionChanges } from '#kernel/table/version-effects.ts';
import { type eventSchemaItem, eventSchemas } from './event-schema.ts';
import {
  type createSchemaBody,
  type SentSchema,
  type ShownSchema,
  showProperties,
  toDefinition,
} from './schema-body.ts';

/** All events of a project are one item, so each change requires the version that it read. */

type Stored = v.InferOutput<typeof eventSchemaItem>;

/** The project of a schema, and its id in a path. */
interface Place {
  readonly projectId: string;
  readonly schemaId: string;
}

const type = 'custom_event_schema';

const nothing: Stored = { events: {}, dates: {} };

function shown({ events, dates }: Stored, name: string): ShownSchema {
  const { created_at = null, updated_at = null } = Object.hasOwn(dates, name) ? (dates[name] ?? {}) : {};
  return {
    id: readSchemaId(name),
    name,
    schema: { properties: showProperties(events[name] ?? {}) },
    created_at,
    updated_at,
    object: 'custom-event-schema',
  };
}

function nameOf({ events }: Stored, schemaId: string): string {
  const name = Object.keys(events).find((one) => readSchemaId(one) === schemaId);
  if (name === undefined) throw notFound(type, schemaId);
  return name;
}

function written(projectId: string, before: Stored | undefined, { events, dates }: Stored): Effect[] {
  const key = eventSchemas(projectId);
  const version = newVersion();
  return [
    before
      ? change(key, (update) =>
          update
            .whenThere()
            .whenStill('version', before.version)
            .set(['events'], events)
            .set(['dates'], dates)
            .set(['version'], version),
        )
      : insert(key, { events, dates, version }),
    ...versionChanges(key, version),
  ];
}

/** Changes the schemas. `by` may run again: it receives the stored schemas, and returns the new schemas. */
async function changing<T>(
  context: Managing,
  projectId: string,
  by: (before: Stored) => { after: Stored; result: T },
): Promise<{ result: T }> {
  const { table } = context;
  const { id } = await managedProjectOr404(context, projectId);
  return retryOptimistically(table, async () => {
    const { stored } = await read(table, { stored: eventSchemas(id) });
    const { after, result } = by(stored ?? nothing);
    const done = await commit(table, written(id, stored, after)).catch((error: unknown) => {
      throw explainItemSize(error, 'the body would make the event schema of the project');
    });
    return done ? { result } : again;
  });
}

/** Adds an event. 409 `duplicate_found` if the project has it. */
export async function createEventSchema(
  context: Managing,
  projectId: string,
  { name, schema }: v.InferOutput<typeof createSchemaBody>,
): Promise<ShownSchema> {
  const { result } = await changing(context, projectId, ({ events, dates }) => {
    if (Object.hasOwn(events, name)) {
      const details = `the project has the event ${name}`;
      throw new ServiceError('duplicate_found', { details, resource: { id: name, type } });
    }
    const created_at = context.now.toISOString();
    const after = {
      events: { ...events, [name]: toDefinition(schema) },
      dates: { ...dates, [name]: { created_at } },
    };
    return { after, result: shown(after, name) };
  });
  return result;
}

/** Sorts by name, because a stored map has no order. */
export async function listEventSchemas(context: Managing, projectId: string) {
  const { id } = await managedProjectOr404(context, projectId);
  const { stored = nothing } = await read(context.table, { stored: eventSchemas(id) });
  return wrapList(
    Object.keys(stored.events)
      .sort()
      .map((name) => shown(stored, name)),
  );
}

export async function getEventSchema(context: Managing, { projectId, schemaId }: Place): Promise<ShownSchema> {
  const { id } = await managedProjectOr404(context, projectId);
  const { stored = nothing } = await read(context.table, { stored: eventSchemas(id) });
  return shown(stored, nameOf(stored, schemaId));
}

/** Replaces the sent properties, keeps the others, and removes `deleted` properties. */
export async function updateEventSchema(
  context: Managing,
  { projectId, schemaId }: Place,
  schema: SentSchema,
): Promise<ShownSchema> {
  const { result } = await changing(context, projectId, (before) => {
    const name = nameOf(before, schemaId);
    const { events, dates } = before;
    const kept = Object.entries(events[name] ?? {}).filter(([key]) => !Object.hasOwn(schema.properties, key));
    const after = {
      events: { ...events, [name]: { ...Object.fromEntries(kept), ...toDefinition(schema) } },
      dates: { ...dates, [name]: { ...dates[name], updated_at: context.now.toISOString() } },
    };
    return { after, result: shown(after, name) };
  });
  return result;
}

/** Removes the event. Its events are refused from then on. Rules that wait for it stay, and earn nothing. */
export async function deleteEventSchema(context: Managing, { projectId, schemaId }: Place): Promise<void> {
  await changing(context, projectId, (before) => {
    const name = nameOf(before, schemaId);
    const without = <V>(all: Readonly<Record<string, V>>) =>
      Object.fromEntries(Object.entries(all).filter(([one]) => one !== name));
    return { after: { events: without(before.events), dates: without(before.dates) }, result: undefined };
  });
}
