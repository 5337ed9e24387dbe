import { getOrder } from '#engine/checkout/orders/people.ts';
import { order } from '#engine/checkout/orders/resource.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'GET /v1/orders/{orderId}',
    scope: 'orders',
    summary: 'Get an order',
    note: 'The reply has the order after its last change, with its items and discounts.',
    params: { orderId: 'Id or source id of the order.' },
    answers: 'The order.',
    reply: order.reply,
    errors: ['not_found'],
    example: { params: { orderId: 'till-3-2041' } },
  },
  (call) => getOrder(call, call.params.orderId),
);
