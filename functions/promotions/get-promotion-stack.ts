import { operation } from '../../lib/http/operation.ts';
import { getStack } from '../../lib/stacks/show-stacks.ts';
import { promotionStack } from '../../lib/stacks/stack.ts';

export const handler = operation(
  {
    route: 'GET /v1/promotions/{campaignId}/stacks/{stackId}',
    scope: 'promotions',
    summary: 'Get a promotion stack',
    answers: 'The stack.',
    reply: promotionStack.reply,
    errors: ['not_found'],
    example: { params: { campaignId: 'camp_beans', stackId: 'stack_bags' } },
  },
  (call) => getStack(call, call.params),
);
