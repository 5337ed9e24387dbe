import { earningRule } from '#engine/loyalty/earning/public-rule.ts';
import { getEarningRule } from '#engine/loyalty/programmes/read-rules.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'GET /v1/loyalties/{campaignId}/earning-rules/{earningRuleId}',
    scope: 'loyalties',
    summary: 'Get an earning rule',
    note: 'The rule must belong to the campaign. Its validation rule is shown by its id alone.',
    answers: 'The rule.',
    reply: earningRule,
    errors: ['not_found'],
    example: { params: { campaignId: 'Harbour Crew', earningRuleId: 'ern_cup' } },
  },
  (call) => getEarningRule(call, call.params.campaignId, call.params.earningRuleId),
);
