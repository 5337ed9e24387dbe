import { listOrders } from '#engine/checkout/orders/people.ts';
import { order } from '#engine/checkout/orders/resource.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'GET /v1/orders',
    scope: 'orders',
    summary: 'List the orders of the project',
    note:
      'Returns the newest first unless `order` says otherwise. `filters` looks at 10,000 orders in a request, and ' +
      '`more_starting_after` says where to continue.',
    answers: 'A page of the orders.',
    query: order.listQuery,
    reply: order.listReply,
  },
  (call) => listOrders(call, call.query),
);
