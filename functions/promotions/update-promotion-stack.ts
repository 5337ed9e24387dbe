import { promotionStack, updateStackBody } from '#engine/campaigns/promotions/promotion-tier.ts';
import { updateStack } from '#engine/campaigns/stacks/save-stack.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'PUT /v1/promotions/{campaignId}/stacks/{stackId}',
    scope: 'promotions',
    summary: 'Update a promotion stack',
    note: 'Changes only the fields that are sent. `tiers` is replaced as a whole, and `null` removes the category.',
    body: updateStackBody,
    answers: 'The updated stack.',
    reply: promotionStack.reply,
    errors: ['not_found'],
    example: {
      params: { campaignId: 'camp_beans', stackId: 'stack_bags' },
      body: { name: 'Bags first', tiers: { ids: ['promo_two_bags', 'promo_crate'] } },
    },
  },
  (call) => updateStack(call, call.params, call.body),
);
