import { updateTierBody } from '#engine/campaigns/promotions/new-tiers.ts';
import { promotionTier } from '#engine/campaigns/promotions/promotion-tier.ts';
import { updateTier } from '#engine/campaigns/promotions/update-tier.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'PUT /v1/promotions/tiers/{promotionTierId}',
    scope: 'promotions',
    summary: 'Update a promotion tier',
    note:
      'Changes only the fields that are sent. `null` clears a field. `validation_rule_assignments` replaces all ' +
      'assignments.',
    body: updateTierBody,
    answers: 'The updated tier.',
    reply: promotionTier,
    errors: ['not_found'],
    example: {
      params: { promotionTierId: 'promo_two_bags' },
      body: { banner: 'Two bags of beans: 6 % off', action: { discount: { type: 'PERCENT', percent_off: 6 } } },
    },
  },
  (call) => updateTier(call, call.params.promotionTierId, call.body),
);
