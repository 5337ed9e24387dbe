import { browserTierRedemptionBody } from '#engine/checkout/browser/cart-bodies.ts';
import { clientRedemption, redeemTierFromBrowser } from '#engine/checkout/browser/checkout.ts';
import { redeemErrors } from '#engine/checkout/redemptions/redeem-errors.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'POST /client/v1/promotions/tiers/{promotionTierId}/redemption',
    caller: 'client',
    scope: 'client_redeem',
    clientSwitch: 'redemption',
    summary: 'Redeem a promotion tier from a browser',
    note: 'Works like `POST /client/v1/redemptions`, for one promotion tier.',
    body: browserTierRedemptionBody,
    answers: 'The redemption, with the tier after it. It shows only the ids of the customer.',
    reply: clientRedemption,
    errors: [...redeemErrors, 'duplicate_found', 'invalid_order', 'invalid_redeemables', 'no_applicable_redeemables'],
    example: {
      params: { promotionTierId: 'promo_two_bags' },
      body: { order: { items: [{ product_id: 'prod_beans', quantity: 2 }] } },
    },
  },
  (call) => redeemTierFromBrowser(call, call.params.promotionTierId, call.body),
);
