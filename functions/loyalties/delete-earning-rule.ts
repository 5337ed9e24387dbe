import { deleteEarningRule } from '#engine/loyalty/programmes/change-rule.ts';
import { operation } from '#kernel/http/operation.ts';
import { empty } from '#kernel/http/route.ts';

export const handler = operation(
  {
    route: 'DELETE /v1/loyalties/{campaignId}/earning-rules/{earningRuleId}',
    scope: 'loyalties',
    summary: 'Delete an earning rule',
    note: 'Tiers lose their changes to the rule. Points that it gave stay, and so do its pending points.',
    answers: 'The rule is deleted. The reply has no body.',
    reply: empty,
    errors: ['not_found'],
    example: { params: { campaignId: 'Harbour Crew', earningRuleId: 'ern_quiz' } },
  },
  (call) => deleteEarningRule(call, call.params.campaignId, call.params.earningRuleId),
);
