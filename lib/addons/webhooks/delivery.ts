import { hash } from 'node:crypto';
import * as v from 'valibot';
import { described } from '#kernel/core/documented.ts';
import { deriveTimedPart } from '#kernel/core/ids.ts';
import { count, dateTime, text } from '#kernel/core/schema.ts';
import { kind } from '#kernel/table/kind.ts';
import { kinds } from '#kernel/table/kind-names.ts';
import { listIndexes, listing, placeInList } from '#kernel/table/listing.ts';

/** Deliveries of events to webhooks. Each is an item next to the event, which has the payload once for all webhooks. */

/** Deliveries and events are kept this long. */
export const keptForInS = 30 * 24 * 3_600;

/** An event with its payload, in the form that all webhooks get. */
const webhookEventItem = v.object({
  id: text,
  type: text,
  created_at: dateTime,
  entity_id: v.nullable(text),
  group_id: v.nullable(text),
  /** JSON, because a map of the table does not keep the order of its keys, and each attempt sends the same body. */
  event_source: text,
  /** The payload as JSON. A longer payload is a file of this place. */
  data: v.optional(text),
  file: v.optional(text),
});

export type WebhookEvent = v.InferOutput<typeof webhookEventItem>;

export const webhookEvents = kind(kinds.webhookEvent, webhookEventItem);

/** Lists the events of a project by time, so that the erasure of a person finds their payloads. */
export const eventsByTime = listing(listIndexes.first, 'WEBHOOK_EVENTS', { shards: 4 });

/**
 * Returns the stored form of an event: the event, its place in the list, and the time at which it expires, in seconds.
 */
export function storedEvent(projectId: string, event: WebhookEvent, now: Date) {
  return {
    ...event,
    ...placeInList(eventsByTime, [projectId], [event.created_at, event.id]),
    expiresAt: Math.floor(now.getTime() / 1_000) + keptForInS,
  };
}

/** A single attempt. It has no status while it runs, or if its worker died. */
export const attempt = v.object({
  at: described(dateTime, 'The time when the attempt began.'),
  /** The status of the answer, or `null` without an answer. */
  status: v.optional(v.nullable(count)),
  duration_ms: described(v.optional(count), 'The milliseconds until the answer, or until the attempt ended.'),
  /** The first bytes of the answer, or the failure. */
  answer: described(v.optional(text), 'The first 200 characters of the answer, or what went wrong.'),
});

export type Attempt = v.InferOutput<typeof attempt>;

export const deliveryStatus = v.picklist(['PENDING', 'SUCCEEDED', 'FAILED', 'CANCELED']);

export const deliveryItem = v.object({
  id: text,
  webhook_id: text,
  event_id: text,
  type: text,
  entity_id: v.nullable(text),
  created_at: dateTime,
  target_url: text,
  status: deliveryStatus,
  /** Counts the attempts of the present round. A replay begins a round. */
  tries: v.optional(count, 0),
  attempts: v.optional(v.array(attempt), []),
  next_attempt_at: v.optional(dateTime),
  /** Counts the messages that the sweep has sent since the last attempt. */
  sweeps: v.optional(count),
  /** A replay and a test end after one round, and never switch the webhook off. */
  is_replayed: v.optional(v.boolean()),
});

export type Delivery = v.InferOutput<typeof deliveryItem>;

export const deliveries = kind<typeof deliveryItem, [webhookId: string, id: string]>(
  kinds.webhookDelivery,
  deliveryItem,
);

/** Lists the deliveries of a webhook by time. */
export const deliveriesOfWebhook = listing(listIndexes.first, 'DELIVERIES_OF_WEBHOOK', { shards: 4 });

export const listedDelivery = v.object({
  id: text,
  type: text,
  status: deliveryStatus,
  entity_id: v.nullable(text),
  created_at: text,
});

export function placeDelivery(projectId: string, item: Delivery) {
  return {
    ...placeInList(deliveriesOfWebhook, [projectId, item.webhook_id], [item.id]),
    listed: v.parse(listedDelivery, item),
  };
}

/** Returns the id of the delivery of an event to a webhook. It sorts by the time of the event. */
export function deriveDeliveryId(
  { id, created_at }: Pick<WebhookEvent, 'id' | 'created_at'>,
  webhookId: string,
): string {
  const about = hash('sha256', `${id} ${webhookId}`, 'base64url').slice(0, 22);
  return `whs_${deriveTimedPart(new Date(created_at), about)}`;
}

const health = v.object({
  /** Counts failed attempts in a row, of any delivery. */
  failures: v.optional(count, 0),
  /** Counts failed attempts since the circuit opened. */
  probes: v.optional(count, 0),
  /** Until then, no delivery is tried. */
  open_until: v.optional(dateTime),
});

/** Records whether the target of a webhook answers. Absent while it does. */
export const webhookHealth = kind(kinds.webhookHealth, health);

export type Health = v.InferOutput<typeof health>;
