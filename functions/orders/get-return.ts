import { getReturn } from '#engine/checkout/list-returns.ts';
import { returnReply } from '#engine/checkout/returns/resource.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'GET /v1/orders/{orderId}/returns/{returnId}',
    scope: 'orders',
    summary: 'Get a return of an order',
    params: { orderId: 'Id or source id of the order.' },
    note: 'A return is never changed. The order has the sums of all its returns.',
    answers: 'The return and the present order.',
    reply: returnReply,
    errors: ['not_found'],
    example: { params: { orderId: 'ord_guest', returnId: 'ret_guest' } },
  },
  (call) => getReturn(call, call.params.orderId, call.params.returnId),
);
