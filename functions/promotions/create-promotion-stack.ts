import { createStackBody, promotionStack } from '#engine/campaigns/promotions/promotion-tier.ts';
import { createStack } from '#engine/campaigns/stacks/save-stack.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'POST /v1/promotions/{campaignId}/stacks',
    scope: 'promotions',
    summary: 'Create a promotion stack',
    note: 'The tiers must belong to the campaign. They apply in the order of the ids in the list.',
    body: createStackBody,
    answers: 'The stack.',
    reply: promotionStack.reply,
    errors: ['not_found'],
    example: {
      params: { campaignId: 'camp_beans' },
      body: { name: 'Bags and crates', tiers: { ids: ['promo_crate', 'promo_two_bags'], hierarchy_mode: 'MANUAL' } },
    },
  },
  (call) => createStack(call, call.params.campaignId, call.body),
);
