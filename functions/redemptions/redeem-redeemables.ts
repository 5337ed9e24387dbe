import { redeem } from '../../lib/checkout/redemptions/redeem.ts';
import { redeemErrors } from '../../lib/checkout/redemptions/redeem-errors.ts';
import { redeemed, showRedeemed } from '../../lib/checkout/redemptions/show-redeemed.ts';
import { askedOf, checkoutBody, expansionOf } from '../../lib/checkout/request/checkout-body.ts';
import { operation } from '../../lib/http/operation.ts';

export const handler = operation(
  {
    route: 'POST /v1/redemptions',
    scope: 'redemptions',
    summary: 'Redeem redeemables on an order',
    note:
      'What up to 30 vouchers and promotion tiers do to the order is worked out anew and brought about in one transaction, with the order and ' +
      'its customer: all, or what the stacking rules let be. Where something can not be used, the error is that of the first, and `resource_id` the ' +
      'failed redemption.',
    body: checkoutBody,
    answers: 'The redemptions, of several their parent too, and the order as they leave it.',
    reply: redeemed,
    errors: [
      ...redeemErrors,
      'duplicate_found',
      'duplicated_redeemables',
      'invalid_redeemables',
      'no_applicable_redeemables',
    ],
    example: {
      body: {
        redeemables: [{ object: 'promotion_tier', id: 'promo_two_bags' }],
        customer: { source_id: 'ingrid' },
        order: { source_id: 'till-77', items: [{ product_id: 'prod_beans', quantity: 2 }] },
      },
    },
  },
  (call) => redeem(call, askedOf(call.body), (done) => showRedeemed(call, done, expansionOf(call.body))),
);
