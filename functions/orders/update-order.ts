import { updateOrder } from '#engine/checkout/change-order.ts';
import { updateOrderBody } from '#engine/checkout/orders/order-body.ts';
import { order } from '#engine/checkout/orders/resource.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'PUT /v1/orders/{orderId}',
    scope: 'orders',
    summary: 'Update an order',
    note:
      'Fields that are not sent stay unchanged. `items` are replaced as a whole. An order that becomes PAID or ' +
      'FULFILLED earns its customer points, once.',
    params: { orderId: 'Id or source id of the order.' },
    answers: 'The stored order.',
    body: updateOrderBody,
    reply: order.reply,
    errors: ['not_found', 'duplicate_found', 'invalid_amount', 'invalid_campaign', 'order_canceled'],
    example: { params: { orderId: 'till-3-2041' }, body: { status: 'FULFILLED', metadata: { picked_by: 'Oluf' } } },
  },
  (call) => updateOrder(call, call.params.orderId, call.body),
);
