import { promotionTier } from '#engine/campaigns/promotions/promotion-tier.ts';
import { switchTier } from '#engine/campaigns/promotions/switch-tier.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'POST /v1/promotions/tiers/{promotionTierId}/disable',
    scope: 'promotions',
    summary: 'Disable a promotion tier',
    note: 'A body is ignored. The call has no effect if the tier is already disabled.',
    body: 'ignored',
    answers: 'The updated tier.',
    reply: promotionTier,
    errors: ['not_found'],
    example: { params: { promotionTierId: 'promo_rainy_day' } },
  },
  (call) => switchTier(call, call.params.promotionTierId, false),
);
