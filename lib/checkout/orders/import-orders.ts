import { described } from '../../core/documented.ts';
import { array } from '../../core/schema.ts';
import { bulk } from '../../kit/bulk/bulk.ts';
import { createOrderBody } from './order-body.ts';

/** Orders in one request. */
const maxOrders = 2_000;

export const ordersImport = bulk({
  type: 'ORDERS.IMPORT',
  body: array(described(createOrderBody, 'As it is created.'), maxOrders, 'orders'),
  rows: (orders) => orders,
  subject: ({ id, source_id }) => source_id ?? id ?? undefined,
  named: 'source_id',
  // Loaded by the worker alone: whoever takes the orders in does not save them.
  run: async (context, body) => (await import('./save-order.ts')).importOrder(context, body),
});
