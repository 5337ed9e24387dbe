import { updateStack } from '../../lib/campaigns/stacks/save-stack.ts';
import { promotionStack, updateStackBody } from '../../lib/campaigns/stacks/stack.ts';
import { operation } from '../../lib/http/operation.ts';

export const handler = operation(
  {
    route: 'PUT /v1/promotions/{campaignId}/stacks/{stackId}',
    scope: 'promotions',
    summary: 'Update a promotion stack',
    note: 'Changes what is sent: `tiers` as a whole; `null` takes its category.',
    body: updateStackBody,
    answers: 'The stack as it now is.',
    reply: promotionStack.reply,
    errors: ['not_found'],
    example: {
      params: { campaignId: 'camp_beans', stackId: 'stack_bags' },
      body: { name: 'Bags first', tiers: { ids: ['promo_two_bags', 'promo_crate'] } },
    },
  },
  (call) => updateStack(call, call.params, call.body),
);
