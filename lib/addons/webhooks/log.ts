import * as v from 'valibot';
import { canReadSecrets } from '#kernel/access/users/manager.ts';
import { described, named } from '#kernel/core/documented.ts';
import { notFound } from '#kernel/core/errors.ts';
import type { Files } from '#kernel/core/files/files.ts';
import { newId } from '#kernel/core/ids.ts';
import { count, dateTime, text } from '#kernel/core/schema.ts';
import type { Managing, Reading } from '#kernel/http/context.ts';
import { cursorQuery, limitQuery, moreEntries, presentMore, readParsedPage, unknownCursor } from '#kernel/http/page.ts';
import { readPageById } from '#kernel/kit/filters/page-by-id.ts';
import { listed } from '#kernel/kit/lists/listed.ts';
import { again, retryOptimistically } from '#kernel/table/conflicts.ts';
import { change, commit, commitApart, insert } from '#kernel/table/effects.ts';
import { walkList } from '#kernel/table/listing.ts';
import { read } from '#kernel/table/read.ts';
import {
  attempt,
  type Delivery,
  deliveries,
  deliveriesOfWebhook,
  deliveryItem,
  deliveryStatus,
  listedDelivery,
  storedEvent,
  type WebhookEvent,
  webhookEvents,
} from './delivery.ts';
import { inProject, type WebhookPlace } from './manage-webhooks.ts';
import { chosenType, webhook } from './resource.ts';
import { graceAfter } from './schedule.ts';
import { deliveryRequest, showRequest } from './show-request.ts';
import { insertDelivery, newDelivery, writeDelivery } from './store-delivery.ts';

/**
 * The log of a webhook, and deliveries that operators request. The stream passes these on
 * (`lib/kernel/kit/jobs/dispatch.ts`).
 */

export interface DeliveryPlace extends WebhookPlace {
  readonly deliveryId: string;
}

const type = 'webhook_delivery';

export const shownDelivery = named(
  'WebhookDelivery',
  v.object({
    id: described(text, 'The id of the send-out, the same at each attempt.'),
    webhook_id: text,
    event_id: described(text, 'The id of the event, the same for all webhooks.'),
    type: described(text, 'The type of the event.'),
    entity_id: described(v.nullable(text), 'The id of the object that the event is about.'),
    created_at: dateTime,
    target_url: text,
    status: deliveryStatus,
    attempts: described(v.array(attempt), 'All attempts. An attempt without a status runs, or its worker died.'),
    next_attempt_at: described(v.nullable(dateTime), 'The time of the next attempt, while one is planned.'),
    object: v.literal(type),
  }),
);

export const detailedDelivery = named(
  'DetailedWebhookDelivery',
  v.object({
    ...shownDelivery.entries,
    request: described(v.nullable(deliveryRequest), 'The request of a delivery, or `null` after its event ended.'),
  }),
);

function present(item: Delivery): v.InferOutput<typeof shownDelivery> {
  const { tries: _, is_replayed: __, sweeps: ___, next_attempt_at = null, ...shown } = item;
  return { ...shown, next_attempt_at, object: type };
}

export const deliveryList = listed({
  key: 'data',
  element: shownDelivery,
  paging: { ...limitQuery, ...cursorQuery },
  orders: ['id'],
  byDefault: '-id',
  parameters: {
    type: described(v.optional(text), 'Only events of this type.'),
    entity_id: described(v.optional(text), 'Only events about this object.'),
    status: described(v.optional(deliveryStatus), 'Only deliveries in this state.'),
  },
  place: moreEntries,
});

async function webhookOr404(reading: Reading, webhookId: string) {
  const { found } = await read(reading.table, { found: webhook.few(reading.project.id, webhookId) });
  if (!found) throw notFound(webhook.name, webhookId);
  return found;
}

/** Lists the deliveries of the last 30 days, newest first. */
export async function listDeliveries(
  context: Managing,
  { projectId, webhookId }: WebhookPlace,
  query: v.InferOutput<typeof deliveryList.query>,
) {
  const reading = await inProject(context, projectId);
  await webhookOr404(reading, webhookId);
  const { starting_after_id: behind, type: ofType, entity_id, status } = query;
  if (behind !== undefined && !behind.startsWith('whs_')) throw unknownCursor('delivery');
  const wanted = Object.entries({ type: ofType, entity_id, status }).filter(([, value]) => value !== undefined);
  const filters = Object.fromEntries(wanted.map(([name, value]) => [name, { conditions: { $is: [String(value)] } }]));
  const { keys, next } = await readPageById(
    reading,
    { list: deliveriesOfWebhook, owner: [reading.project.id, webhookId] },
    { ...query, behind, filters: wanted.length > 0 ? filters : undefined },
    { known: listedDelivery, fields: { type: 'text', entity_id: 'text', status: 'text' } },
  );
  const items = await readParsedPage(reading.table, deliveryItem, keys);
  return deliveryList.show(items.map(present), presentMore(next));
}

async function deliveryOr404({ table, project }: Reading, { webhookId, deliveryId }: DeliveryPlace): Promise<Delivery> {
  const { found } = await read(table, { found: deliveries(project.id, webhookId, deliveryId) });
  if (!found) throw notFound(type, deliveryId);
  return found;
}

/** Shows a delivery with the request that it sends at this time. */
export async function getDelivery(context: Managing & { readonly files: Files }, place: DeliveryPlace) {
  const { files, manager } = context;
  const reading = await inProject(context, place.projectId);
  const found = await deliveryOr404(reading, place);
  const request = await showRequest(reading, found, { files, isSigned: canReadSecrets(manager) });
  return { ...present(found), request };
}

/** Starts one more attempt. Has no effect on a delivery that waits for an attempt. */
async function restart({ table, project, now }: Reading, before: Delivery): Promise<Delivery | undefined> {
  if (before.status === 'PENDING') return before;
  const { next_attempt_at: _, ...ended } = before;
  const after: Delivery = { ...ended, status: 'PENDING', tries: 0, is_replayed: true };
  const key = deliveries(project.id, before.webhook_id, before.id);
  const restarted = change(key, (update) => writeDelivery(project.id, before, after, graceAfter(now), { update }));
  return (await commitApart(table, [restarted])) ? after : undefined;
}

/** Sends an event again, with the same ids and payload. */
export async function replayDelivery(context: Managing, place: DeliveryPlace) {
  const reading = await inProject(context, place.projectId);
  await webhookOr404(reading, place.webhookId);
  return retryOptimistically(reading.table, async () => {
    const after = await restart(reading, await deliveryOr404(reading, place));
    return after ? present(after) : again;
  });
}

/** A request sends at most this many deliveries again. */
const maxReplayed = 200;

export const replayBody = v.object({
  since: described(dateTime, 'Sends failed deliveries of events from this time on.'),
});

export const replayed = v.object({
  replayed: described(count, 'The number of deliveries that this request sends again.'),
  has_more: described(v.boolean(), 'Says whether others wait for the same request again.'),
});

/**
 * Sends deliveries again that failed since a time, up to 200. A repeated request continues, because these are no longer
 * FAILED.
 */
export async function replayFailed(
  context: Managing,
  { projectId, webhookId }: WebhookPlace,
  { since }: v.InferOutput<typeof replayBody>,
): Promise<v.InferOutput<typeof replayed>> {
  const reading = await inProject(context, projectId);
  await webhookOr404(reading, webhookId);
  const { table, project } = reading;
  const from = `whs_${Date.parse(since).toString(36).padStart(9, '0')}`;
  const failed = [];
  for await (const { key, listed: shown } of walkList(table, deliveriesOfWebhook, [project.id, webhookId], { from })) {
    if (v.parse(listedDelivery, shown).status === 'FAILED') failed.push(key);
    if (failed.length > maxReplayed) break;
  }
  const items = await table.getMany(failed.slice(0, maxReplayed));
  const started = await Promise.all(
    items.map(async (item) => {
      const before = item && v.parse(deliveryItem, item);
      return before?.status === 'FAILED' && (await restart(reading, before)) !== undefined;
    }),
  );
  return { replayed: started.filter(Boolean).length, has_more: failed.length > maxReplayed };
}

export const testBody = v.object({
  type: described(chosenType, 'The type of the event, which the webhook need not be subscribed to.'),
});

/** Sends a test event, so that operators see whether the target answers. It is tried once. */
export async function sendTest(
  context: Managing,
  { projectId, webhookId }: WebhookPlace,
  { type: ofType }: v.InferOutput<typeof testBody>,
) {
  const reading = await inProject(context, projectId);
  const { table, project, now } = reading;
  const target = await webhookOr404(reading, webhookId);
  const event: WebhookEvent = {
    id: newId('activity').replace(/^act_/, 'ev_test_'),
    type: ofType,
    created_at: now.toISOString(),
    entity_id: null,
    group_id: null,
    event_source: JSON.stringify({ channel: 'API' }),
    data: JSON.stringify({ test: true }),
  };
  const made: Delivery = { ...newDelivery(event, target), is_replayed: true };
  const effects = [
    insert(webhookEvents(project.id, event.id), storedEvent(project.id, event, now)),
    insertDelivery(project.id, made, now),
  ];
  if (!(await commit(table, effects))) throw new Error('an id was drawn twice');
  return present(made);
}
