import { isDeepStrictEqual } from 'node:util';
import { type CustomerItem, customers } from '#engine/customers/customer.ts';
import { type PaidOrder, recountOrders } from '#engine/customers/customer-figures.ts';
import { findCustomerById } from '#engine/customers/find-customer.ts';
import type { Reading } from '#kernel/http/context.ts';
import { change, type Effect } from '#kernel/table/effects.ts';
import { isPaidOrder } from './next-order.ts';
import type { People } from './people.ts';
import type { OrderItem } from './resource.ts';

/** Returns the order's part of its customer's figures. */
function toPaidOrder(item: OrderItem | undefined): PaidOrder | undefined {
  if (!item || !isPaidOrder(item)) return undefined;
  const { id, total_amount, returned, created_at: date } = item;
  return { id, amount: Math.max(0, (total_amount ?? 0) - (returned?.paid_back ?? 0)), date };
}

/** Returns the change of the customer's order figures, if the change of the order affects them. */
function recount(
  { project }: Reading,
  { id, orders }: CustomerItem,
  was: PaidOrder | undefined,
  is: PaidOrder | undefined,
): Effect[] {
  if (isDeepStrictEqual(was, is)) return [];
  const figures = recountOrders(orders, was, is);
  return [
    change(customers(project.id, id), (update) =>
      update.whenThere().whenStill('orders', orders).set(['orders'], figures),
    ),
  ];
}

/** Returns the changes of figures of the new customer, and of the earlier customer. */
export async function recounts(
  context: Reading,
  before: OrderItem | undefined,
  after: OrderItem,
  { customer }: People,
) {
  const [was, is] = [toPaidOrder(before), toPaidOrder(after)];
  const isNamed = before?.customer_id === after.customer_id;
  const former =
    was && !isNamed && before?.customer_id ? await findCustomerById(context, before.customer_id) : undefined;
  // The order may still name a customer that was merged into the request's customer.
  const isSame = isNamed || (former !== undefined && former.id === customer?.after.id);
  const left = isSame ? undefined : former;
  return [
    ...(customer ? recount(context, customer.after, isSame ? was : undefined, is) : []),
    ...(left ? recount(context, left, was, undefined) : []),
  ];
}
