import { promotionStack } from '#engine/campaigns/promotions/promotion-tier.ts';
import { getStack } from '#engine/campaigns/stacks/show-stacks.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'GET /v1/promotions/{campaignId}/stacks/{stackId}',
    scope: 'promotions',
    summary: 'Get a promotion stack',
    note: 'The stack names its tiers by their ids, in the order in which they apply.',
    answers: 'The stack.',
    reply: promotionStack.reply,
    errors: ['not_found'],
    example: { params: { campaignId: 'camp_beans', stackId: 'stack_bags' } },
  },
  (call) => getStack(call, call.params),
);
