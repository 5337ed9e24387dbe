import * as v from 'valibot';
import { defined } from '#kernel/core/defined.ts';
import { text } from '#kernel/core/schema.ts';
import type { Showing } from '#kernel/http/context.ts';
import type { Message } from '#kernel/kit/jobs/queues.ts';
import type { JobDependencies } from '#kernel/kit/jobs/run.ts';
import { readFew } from '#kernel/kit/resource/operations.ts';
import { commitApart, insert } from '#kernel/table/effects.ts';
import { type Key, readProjectId } from '#kernel/table/keys.ts';
import { read } from '#kernel/table/read.ts';
import { Table } from '#kernel/table/table.ts';
import { storedEvent, type WebhookEvent, webhookEvents } from '../delivery.ts';
import { maxStoredBytes, payloadFile } from '../envelope.ts';
import type { FoundEvent } from '../events/find-events.ts';
import { webhook } from '../resource.ts';
import { deliveryMessage, insertDelivery, newDelivery } from '../store-delivery.ts';
import { type Built, buildPayload } from './payloads.ts';
import { settleUsedUp } from './used-up.ts';

/** Makes the deliveries of an event. It may be cut off anywhere, and repeated. */

const facts = v.object({
  event: v.object({
    id: text,
    type: text,
    at: text,
    group: v.optional(text),
    change: v.optional(v.number()),
    image: v.optional(v.record(v.string(), v.any())),
  }),
}) satisfies v.GenericSchema<Message['more']>;

async function storePayload(
  { project }: Showing,
  id: string,
  { data }: Built,
  files: JobDependencies['files'],
): Promise<Pick<WebhookEvent, 'data' | 'file'>> {
  const content = JSON.stringify(data);
  if (Buffer.byteLength(content) <= maxStoredBytes) return { data: content };
  if (!files) throw new Error('a worker of events has files');
  const file = `${id}.json`;
  await files.put({ ...payloadFile(project.id, file), name: file, type: 'application/json', content });
  return { file };
}

/** Returns the stored event. The first call builds it, so that each webhook and each attempt gets the same payload. */
async function eventOf(
  context: Showing,
  found: FoundEvent,
  files: JobDependencies['files'],
): Promise<WebhookEvent | undefined> {
  const { table, project, now } = context;
  const key = webhookEvents(project.id, found.id);
  const { stored } = await read(table, { stored: key });
  if (stored) return stored;
  const built = await buildPayload(context, found);
  if (!built) return undefined;
  const event: WebhookEvent = {
    id: found.id,
    type: found.type,
    created_at: found.at,
    entity_id: built.entity_id,
    group_id: built.group_id,
    event_source: JSON.stringify(built.event_source),
    ...(await storePayload(context, found.id, built, files)),
  };
  if (await commitApart(table, [insert(key, storedEvent(project.id, event, now))])) return event;
  return (await read(table, { stored: key })).stored;
}

export async function fanOut(key: Key, more: unknown, dependencies: JobDependencies, baseUrl: string): Promise<void> {
  const { dynamodb, tableName, clock, credentialCache, queues, files } = dependencies;
  const { event: told } = v.parse(facts, more);
  const { image, group, change, ...heard } = told;
  const now = clock();
  const table = new Table(dynamodb, tableName, now);
  const project = await credentialCache.project(table, readProjectId(key), now);
  if (!project) return;
  const context = { table, project, now, baseUrl };
  const targets = (await readFew(context, webhook)).filter(
    ({ active, events }) => active && events.includes(told.type),
  );
  if (targets.length === 0) return;
  const found = await settleUsedUp(context, { key, ...heard, ...defined({ image, group, change }) });
  const event = found && (await eventOf(context, found, files));
  if (!event) return;
  const made = targets.map((target) => newDelivery(event, target));
  // An existing delivery stays unchanged. Its message is sent again, and is stale if it was tried.
  await Promise.all(made.map((delivery) => commitApart(table, [insertDelivery(project.id, delivery, now)])));
  await queues.send(
    'webhooks',
    made.map((delivery) => deliveryMessage(project.id, delivery)),
  );
}
