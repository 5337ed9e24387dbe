import { promotionBody, tierValidation, validateTier } from '#engine/checkout/validations/promotions.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'POST /v1/promotions/tiers/{promotionTierId}/validation',
    scope: 'promotions',
    validates: true,
    summary: 'Validate a promotion tier against a cart',
    note:
      'Works like `POST /v1/validations`, for one tier. A tier that does not apply is also answered with 200, and ' +
      '`valid` is false.',
    body: promotionBody,
    answers: 'The effect of the tier on the order, or the reason for its refusal.',
    reply: tierValidation,
    errors: ['not_found', 'duplicate_found'],
    example: {
      params: { promotionTierId: 'promo_two_bags' },
      body: { order: { items: [{ product_id: 'prod_beans', quantity: 2 }] } },
    },
  },
  (call) => validateTier(call, call.params.promotionTierId, call.body),
);
