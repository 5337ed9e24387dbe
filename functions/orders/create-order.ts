import { createOrder } from '#engine/checkout/change-order.ts';
import { createOrderBody } from '#engine/checkout/orders/order-body.ts';
import { order } from '#engine/checkout/orders/resource.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'POST /v1/orders',
    scope: 'orders',
    summary: 'Create or update an order',
    note:
      'A known `id` or `source_id` updates that order. The customer and the referrer are created or updated with ' +
      'it. An order that becomes PAID or FULFILLED earns its customer points, once.',
    answers: 'The stored order.',
    body: createOrderBody,
    reply: order.reply,
    errors: ['not_found', 'duplicate_found', 'invalid_amount', 'invalid_campaign', 'order_canceled'],
    example: {
      body: {
        source_id: 'till-3-2042',
        status: 'PAID',
        customer: { source_id: 'crm-101' },
        items: [{ sku_id: 'beans-1000', quantity: 1 }],
        metadata: { till: 3 },
      },
    },
  },
  (call) => createOrder(call, call.body),
);
