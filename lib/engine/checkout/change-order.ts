import { ServiceError } from '#kernel/core/errors.ts';
import type { Writing } from '#kernel/http/context.ts';
import { findItem, itemOr404 } from '#kernel/kit/resource/item.ts';
import { parseStored } from '#kernel/table/item.ts';
import type { OrderBody } from './orders/order-body.ts';
import { type Order, type OrderItem, order } from './orders/resource.ts';
import { saveNamedOrder, saveOrder } from './orders/save-order.ts';

/** Creates and changes orders. In a project whose orders carry their effects, the status CANCELED returns what is left of an order. */

/** Refuses a status after CANCELED, because the redemptions of the order are rolled back. */
function checkStatus({ id, status }: OrderItem, body: OrderBody): void {
  if (status !== 'CANCELED' || body.status === undefined || body.status === 'CANCELED') return;
  throw new ServiceError('order_canceled', {
    details: 'status must stay CANCELED, because the order was returned: send a new order',
    resource: { id, type: 'order' },
  });
}

/** Saves the other fields, and then returns what is left. The return cancels the order, so a repetition completes both. */
async function cancel(
  context: Writing,
  before: OrderItem,
  { status: _, ...body }: OrderBody,
  save: (body: OrderBody) => Promise<Order>,
): Promise<Order> {
  if (Object.keys(body).some((name) => name !== 'id' && name !== 'source_id')) await save(body);
  const { returnWhole } = await import('./return-order.ts');
  return returnWhole(context, before.id);
}

async function change(
  context: Writing,
  body: OrderBody,
  find: () => Promise<OrderItem | undefined>,
  save: (body: OrderBody) => Promise<Order>,
): Promise<Order> {
  if (!context.project.ordersCarryEffects || body.status === undefined) return save(body);
  const before = await find();
  if (!before) return save(body);
  checkStatus(before, body);
  return body.status === 'CANCELED' && before.status !== 'CANCELED' ? cancel(context, before, body, save) : save(body);
}

/** Changes the order that the body names, or creates one (`lib/engine/checkout/orders/save-order.ts`). */
export function createOrder(context: Writing, body: OrderBody): Promise<Order> {
  const { id, source_id } = body;
  const find = async () => {
    const names = id ? { id } : source_id ? { source_id } : undefined;
    const item = names && (await findItem(context, order, names));
    return item && parseStored(order.stored, item);
  };
  return change(context, body, find, (sent) => saveOrder(context, sent));
}

/** Changes an order by id or source id. 404 if it is missing. */
export function updateOrder(context: Writing, name: string, body: OrderBody): Promise<Order> {
  const find = async () => parseStored(order.stored, await itemOr404(context, order, name));
  return change(context, body, find, (sent) => saveNamedOrder(context, name, sent));
}
