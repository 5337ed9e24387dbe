import { returnOrder } from '#engine/checkout/return-order.ts';
import { returnReply } from '#engine/checkout/returns/resource.ts';
import { returnBody } from '#engine/checkout/returns/return-body.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'POST /v1/orders/{orderId}/returns',
    scope: 'orders',
    summary: 'Return units of an order',
    note:
      'Gives money, credits and points back for returned units, and takes earned points. When nothing is kept, the ' +
      'redemptions are rolled back. If credits or points go back, or a redemption is rolled back, a token also needs ' +
      'the scope `redemptions`. `dry_run` answers the same, and changes nothing.',
    params: { orderId: 'Id or source id of the order.' },
    body: returnBody,
    answers: 'The return, and the order after it.',
    reply: returnReply,
    errors: [
      'not_found',
      'return_exceeds_order',
      'order_canceled',
      'return_exists',
      'invalid_redemption',
      'invalid_amount',
    ],
    example: {
      params: { orderId: 'till-3-2041' },
      body: { source_id: 'back-17', items: [{ product_id: 'prod_beans', quantity: 1 }], reason: 'wrong roast' },
    },
  },
  (call) => returnOrder(call, call.params.orderId, call.body),
);
