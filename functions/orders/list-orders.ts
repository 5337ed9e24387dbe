import { listOrders } from '../../lib/checkout/orders/read-orders.ts';
import { order } from '../../lib/checkout/orders/resource.ts';
import { operation } from '../../lib/http/operation.ts';

export const handler = operation(
  {
    route: 'GET /v1/orders',
    scope: 'orders',
    summary: 'List the orders of the project',
    note: 'Newest first unless `order` says otherwise. `filters` looks through 10,000 orders at a time: `more_starting_after` says how far.',
    answers: 'A page of the orders.',
    query: order.listQuery,
    reply: order.listReply,
  },
  (call) => listOrders(call, call.query),
);
