import { activityTypes, type Occasion } from '#engine/ledger/activities/activity.ts';
import { recordActivity } from '#engine/ledger/activities/record-activities.ts';
import type { Reading } from '#kernel/http/context.ts';
import type { Effect } from '#kernel/table/effects.ts';
import { type OrderItem, type OrderStatus, toOrder } from './resource.ts';

const typeOf: Readonly<Partial<Record<OrderStatus, string>>> = {
  PAID: activityTypes.orderPaid,
  PROCESSING: activityTypes.orderProcessing,
  CANCELED: activityTypes.orderCanceled,
  FULFILLED: activityTypes.orderFulfilled,
};

/** Shows the order in activities, without lines and metadata. */
export function showWithoutLines(item: OrderItem) {
  const { items: _, metadata: __, redemptions: ___, customer: ____, referrer: _____, ...order } = toOrder(item);
  return order;
}

/** Records activities of the order's customer: a created or changed order, and a new status. Each activity names the redemption. */
export function recordOrder(
  { project }: Pick<Reading, 'project'>,
  before: OrderItem | undefined,
  after: OrderItem,
  occasion: Occasion,
  redemptionId?: string,
): Effect[] {
  const { referrer } = toOrder(after);
  const order = showWithoutLines(after);
  const ofStatus = after.status === before?.status ? undefined : typeOf[after.status];
  const types = [before ? activityTypes.orderUpdated : activityTypes.orderCreated, ...(ofStatus ? [ofStatus] : [])];
  const redemption = redemptionId === undefined ? {} : { redemption: { id: redemptionId, object: 'redemption' } };
  const data = { order, ...(referrer ? { referrer } : {}), ...redemption };
  return types.flatMap((type) => recordActivity(project.id, after.customer_id ?? '', occasion, { type, data }));
}
