import { getPromotionTier } from '#engine/campaigns/promotions/get-tier.ts';
import { promotionTier } from '#engine/campaigns/promotions/promotion-tier.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'GET /v1/promotions/tiers/{promotionTierId}',
    scope: 'promotions',
    summary: 'Get a promotion tier',
    note: 'The reply has the validation rules of the tier.',
    answers: 'The tier.',
    reply: promotionTier,
    errors: ['not_found'],
    example: { params: { promotionTierId: 'promo_two_bags' } },
  },
  (call) => getPromotionTier(call, call.params.promotionTierId),
);
