import { getReturn } from '#engine/checkout/list-returns.ts';
import { returnReply } from '#engine/checkout/returns/resource.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'GET /v1/orders/{orderId}/returns/{returnId}',
    scope: 'orders',
    summary: 'Get a return of an order',
    params: { orderId: 'Id or source id of the order.' },
    answers: 'The return, and the order as it is now.',
    reply: returnReply,
    errors: ['not_found'],
    example: { params: { orderId: 'ord_guest', returnId: 'ret_guest' } },
  },
  (call) => getReturn(call, call.params.orderId, call.params.returnId),
);
