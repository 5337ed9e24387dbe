import { deleteStack } from '#engine/campaigns/stacks/save-stack.ts';
import { operation } from '#kernel/http/operation.ts';
import { empty } from '#kernel/http/route.ts';

export const handler = operation(
  {
    route: 'DELETE /v1/promotions/{campaignId}/stacks/{stackId}',
    scope: 'promotions',
    summary: 'Delete a promotion stack',
    note: 'Its tiers stay.',
    answers: 'The object is deleted. The reply has no body.',
    reply: empty,
    errors: ['not_found'],
    example: { params: { campaignId: 'camp_beans', stackId: 'stack_crates' } },
  },
  (call) => deleteStack(call, call.params),
);
