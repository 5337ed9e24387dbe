import { operation } from '../../lib/http/operation.ts';
import { redemption } from '../../lib/redemptions/present-redemption.ts';
import { redeem } from '../../lib/redemptions/redeem.ts';
import { redeemErrors } from '../../lib/redemptions/redeem-errors.ts';
import { showOne } from '../../lib/redemptions/show-redeemed.ts';
import { askedOfTier, promotionBody } from '../../lib/validations/promotions.ts';

export const handler = operation(
  {
    route: 'POST /v1/promotions/tiers/{promotionTierId}/redemption',
    scope: 'promotions',
    summary: 'Redeem a promotion tier',
    note: 'As `POST /v1/redemptions` does for several.',
    body: promotionBody,
    answers: 'The redemption, with the tier as it is after it.',
    reply: redemption,
    errors: [...redeemErrors, 'duplicate_found', 'invalid_redeemables', 'no_applicable_redeemables'],
    example: {
      params: { promotionTierId: 'promo_two_bags' },
      body: { order: { items: [{ product_id: 'prod_beans', quantity: 2 }] } },
    },
  },
  (call) => redeem(call, askedOfTier(call.params.promotionTierId, call.body), (done) => showOne(call, done)),
);
