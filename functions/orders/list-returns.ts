import { listReturns, returnsListed } from '#engine/checkout/list-returns.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'GET /v1/orders/{orderId}/returns',
    scope: 'orders',
    summary: 'List the returns of an order',
    note: 'Returns the newest first unless `order` says otherwise. `filters` looks at 10,000 returns in a request.',
    params: { orderId: 'Id or source id of the order.' },
    answers: 'A page of the returns, without the order.',
    query: returnsListed.query,
    reply: returnsListed.reply,
    errors: ['not_found'],
    example: { params: { orderId: 'ord_guest' } },
  },
  (call) => listReturns(call, call.params.orderId, call.query),
);
