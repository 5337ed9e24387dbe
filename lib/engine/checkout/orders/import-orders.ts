import { described } from '#kernel/core/documented.ts';
import { array } from '#kernel/core/schema.ts';
import { bulk } from '#kernel/kit/bulk/bulk.ts';
import { createOrderBody } from './order-body.ts';

/** Limits the orders of one request. */
const maxOrders = 2_000;

export const ordersImport = bulk({
  type: 'ORDERS.IMPORT',
  body: array(
    described(createOrderBody, 'An order, with the same fields as in `POST /v1/orders`.'),
    maxOrders,
    'orders',
  ),
  rows: (orders) => orders,
  subject: ({ id, source_id }) => source_id ?? id ?? undefined,
  named: 'source_id',
  // Only the worker loads this, because the importing request does not save orders.
  run: async (context, body) => (await import('./save-order.ts')).importOrder(context, body),
});
