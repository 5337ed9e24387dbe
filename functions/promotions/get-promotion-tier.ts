import { operation } from '../../lib/http/operation.ts';
import { getTier } from '../../lib/promotions/get-tier.ts';
import { promotionTier } from '../../lib/tiers/promotion-tier.ts';

export const handler = operation(
  {
    route: 'GET /v1/promotions/tiers/{promotionTierId}',
    scope: 'promotions',
    summary: 'Get a promotion tier',
    answers: 'The tier.',
    reply: promotionTier,
    errors: ['not_found'],
    example: { params: { promotionTierId: 'promo_two_bags' } },
  },
  (call) => getTier(call, call.params.promotionTierId),
);
