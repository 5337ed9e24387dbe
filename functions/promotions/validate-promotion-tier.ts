import { promotionBody, tierValidation, validateTier } from '../../lib/checkout/validations/promotions.ts';
import { operation } from '../../lib/http/operation.ts';

export const handler = operation(
  {
    route: 'POST /v1/promotions/tiers/{promotionTierId}/validation',
    scope: 'promotions',
    validates: true,
    summary: 'Validate a promotion tier against a cart',
    note: 'As `POST /v1/validations` does for several. The reply is 200 also for a tier that does not apply: `valid` is false.',
    body: promotionBody,
    answers: 'What the tier does to the order, or why it does not.',
    reply: tierValidation,
    errors: ['not_found', 'duplicate_found'],
    example: {
      params: { promotionTierId: 'promo_two_bags' },
      body: { order: { items: [{ product_id: 'prod_beans', quantity: 2 }] } },
    },
  },
  (call) => validateTier(call, call.params.promotionTierId, call.body),
);
