import { earningRule } from '#engine/loyalty/earning/public-rule.ts';
import { switchEarningRule } from '#engine/loyalty/programmes/change-rule.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'POST /v1/loyalties/{campaignId}/earning-rules/{earningRuleId}/disable',
    scope: 'loyalties',
    summary: 'Disable an earning rule',
    note: 'A body is ignored. The rule earns nothing until it is enabled again. Points that it has given stay.',
    body: 'ignored',
    answers: 'The disabled rule.',
    reply: earningRule,
    errors: ['not_found'],
    example: { params: { campaignId: 'Harbour Crew', earningRuleId: 'ern_purchase' } },
  },
  (call) => switchEarningRule(call, call.params.campaignId, call.params.earningRuleId, false),
);
