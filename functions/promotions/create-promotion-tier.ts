import { createTier } from '#engine/campaigns/promotions/create-tier.ts';
import { newTierBody } from '#engine/campaigns/promotions/new-tiers.ts';
import { promotionTier } from '#engine/campaigns/promotions/promotion-tier.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'POST /v1/promotions/{campaignId}/tiers',
    scope: 'promotions',
    summary: 'Create a promotion tier',
    note: 'Without a `hierarchy` the tier is the last of its campaign. A `hierarchy` does not move the other tiers.',
    body: newTierBody,
    answers: 'The tier.',
    reply: promotionTier,
    errors: ['not_found', 'invalid_campaign'],
    example: {
      params: { campaignId: 'camp_beans' },
      body: {
        name: 'Eight bags',
        banner: 'Eight bags of beans: 16 % off',
        action: { discount: { type: 'PERCENT', percent_off: 16 } },
      },
    },
  },
  (call) => createTier(call, call.params.campaignId, call.body),
);
