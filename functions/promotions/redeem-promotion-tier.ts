import { redemption } from '#engine/checkout/redemptions/present-redemption.ts';
import { redeem } from '#engine/checkout/redemptions/redeem.ts';
import { redeemErrors } from '#engine/checkout/redemptions/redeem-errors.ts';
import { showOne } from '#engine/checkout/redemptions/show-redeemed.ts';
import { promotionBody, readAskedTier } from '#engine/checkout/validations/promotions.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'POST /v1/promotions/tiers/{promotionTierId}/redemption',
    scope: 'promotions',
    summary: 'Redeem a promotion tier',
    note: 'Works like `POST /v1/redemptions`, for one redeemable.',
    body: promotionBody,
    answers: 'The redemption, with the tier after it.',
    reply: redemption,
    errors: [...redeemErrors, 'duplicate_found', 'invalid_redeemables', 'no_applicable_redeemables'],
    example: {
      params: { promotionTierId: 'promo_two_bags' },
      body: { order: { items: [{ product_id: 'prod_beans', quantity: 2 }] } },
    },
  },
  (call) => redeem(call, readAskedTier(call.params.promotionTierId, call.body), (done) => showOne(call, done)),
);
