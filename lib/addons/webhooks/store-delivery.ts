import type * as v from 'valibot';
import type { Message } from '#kernel/kit/jobs/queues.ts';
import { insert } from '#kernel/table/effects.ts';
import { indexed, stripKey } from '#kernel/table/keys.ts';
import { Update } from '#kernel/table/update.ts';
import {
  type Delivery,
  deliveries,
  type deliveryItem,
  deriveDeliveryId,
  keptForInS,
  placeDelivery,
  type WebhookEvent,
} from './delivery.ts';
import { graceAfter } from './schedule.ts';

/** Stores deliveries, and adds them to the list of due deliveries. */

interface Target {
  readonly id: string;
  readonly target_url: string;
}

export function newDelivery(event: WebhookEvent, { id: webhook_id, target_url }: Target): Delivery {
  const { id: event_id, type, entity_id, created_at } = event;
  return {
    ...{ id: deriveDeliveryId(event, webhook_id), webhook_id, event_id, type, entity_id, created_at, target_url },
    status: 'PENDING',
    tries: 0,
    attempts: [],
  };
}

/** Returns the attributes of a delivery that waits for its message. */
function waiting({ id }: Delivery, due: Date) {
  return { dueShard: indexed.dueDeliveryShardOf(id), dueAt: due.toISOString() };
}

export function insertDelivery(projectId: string, item: Delivery, now: Date) {
  return insert(deliveries(projectId, item.webhook_id, item.id), {
    ...item,
    ...placeDelivery(projectId, item),
    ...waiting(item, graceAfter(now)),
    expiresAt: Math.floor(now.getTime() / 1_000) + keptForInS,
  });
}

/** A change of a delivery. Lists and sweeps read the other two attributes. */
type DeliveryUpdate = Update<v.InferInput<typeof deliveryItem> & { listed?: unknown; sweeps?: number }>;

interface Writing {
  readonly update?: DeliveryUpdate;
  readonly sweeps?: number | null;
}

/** Changes the stored delivery to `after`, if it is unchanged since the read. `due` is when the sweep looks at it. */
export function writeDelivery(
  projectId: string,
  before: Delivery,
  after: Delivery,
  due: Date | undefined,
  { update = new Update(), sweeps = null }: Writing = {},
): DeliveryUpdate {
  const { status, tries, attempts, next_attempt_at = null, is_replayed = null } = after;
  update
    .whenStill('status', before.status)
    .whenStill('tries', before.tries)
    .whenHas('webhook_id')
    .take({ status, tries, attempts, next_attempt_at, is_replayed, sweeps }, [
      'status',
      'tries',
      'attempts',
      'next_attempt_at',
      'is_replayed',
      'sweeps',
    ]);
  if (status !== before.status) update.set(['listed'], placeDelivery(projectId, after).listed);
  if (due) return update.set(['dueShard'], indexed.dueDeliveryShardOf(after.id)).set(['dueAt'], due.toISOString());
  return update.remove(['dueShard']).remove(['dueAt']);
}

/** Notes that the sweep has sent the message of a delivery. */
export function noteSweep(projectId: string, delivery: Delivery, now: Date): DeliveryUpdate {
  const { sweeps = 0 } = delivery;
  return writeDelivery(projectId, delivery, delivery, graceAfter(now, sweeps), { sweeps: sweeps + 1 });
}

/** Returns the message that makes the next attempt. It is stale as soon as the delivery has another number of tries. */
export function deliveryMessage(projectId: string, { webhook_id, id, tries }: Delivery, delayInS = 0): Message {
  const key = stripKey(deliveries(projectId, webhook_id, id));
  return { key, more: { tries }, group: webhook_id, ...(delayInS > 0 ? { delayInS } : {}) };
}
