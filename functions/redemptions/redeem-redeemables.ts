import { redeem } from '#engine/checkout/redemptions/redeem.ts';
import { redeemErrors } from '#engine/checkout/redemptions/redeem-errors.ts';
import { redeemed, showRedeemed } from '#engine/checkout/redemptions/show-redeemed.ts';
import { checkoutBody, readAsked, readExpansions } from '#engine/checkout/request/checkout-body.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'POST /v1/redemptions',
    scope: 'redemptions',
    summary: 'Redeem redeemables on an order',
    note:
      'Redeems up to 30 vouchers and promotion tiers. The effects are calculated again. One transaction stores them ' +
      'with the order and its customer. The stacking rules decide whether all are redeemed, or only those that ' +
      'can be used. If one is refused, the reply has the first error, and `resource_id` is the failed redemption.',
    body: checkoutBody,
    answers:
      'The redemptions and the order after them. If there are several redemptions, the reply also has their parent.',
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
  (call) => redeem(call, readAsked(call.body), (done) => showRedeemed(call, done, readExpansions(call.body))),
);
