import { activityTypes, type Occasion } from '../activities/activity.ts';
import { recordActivity } from '../activities/record-activities.ts';
import type { Reading } from '../context.ts';
import type { Effect } from '../table/effects.ts';
import { type OrderItem, type OrderStatus, toOrder } from './resource.ts';

const typeOf: Readonly<Partial<Record<OrderStatus, string>>> = {
  PAID: activityTypes.orderPaid,
  PROCESSING: activityTypes.orderProcessing,
  CANCELED: activityTypes.orderCanceled,
  FULFILLED: activityTypes.orderFulfilled,
};

/** That the order was created or changed, and which status it has now, in the list of its customer. Lines and metadata stay with the order. */
export function orderActivities(
  { project }: Pick<Reading, 'project'>,
  before: OrderItem | undefined,
  after: OrderItem,
  occasion: Occasion,
): Effect[] {
  const { items: _, metadata: __, redemptions: ___, customer: ____, referrer, ...order } = toOrder(after);
  const ofStatus = after.status === before?.status ? undefined : typeOf[after.status];
  const types = [before ? activityTypes.orderUpdated : activityTypes.orderCreated, ...(ofStatus ? [ofStatus] : [])];
  const data = { order, ...(referrer ? { referrer } : {}) };
  return types.flatMap((type) => recordActivity(project.id, after.customer_id ?? '', occasion, { type, data }));
}
