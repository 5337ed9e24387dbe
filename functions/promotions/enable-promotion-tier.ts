import { promotionTier } from '#engine/campaigns/promotions/promotion-tier.ts';
import { switchTier } from '#engine/campaigns/promotions/switch-tier.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'POST /v1/promotions/tiers/{promotionTierId}/enable',
    scope: 'promotions',
    summary: 'Enable a promotion tier',
    note: 'A body is ignored. The call has no effect if the tier is already enabled.',
    body: 'ignored',
    answers: 'The updated tier.',
    reply: promotionTier,
    errors: ['not_found'],
    example: { params: { promotionTierId: 'promo_crate' } },
  },
  (call) => switchTier(call, call.params.promotionTierId, true),
);
