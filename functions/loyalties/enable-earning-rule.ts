import { operation } from '../../lib/http/operation.ts';
import { earningRule } from '../../lib/loyalty/earning/public-rule.ts';
import { switchEarningRule } from '../../lib/loyalty/programmes/change-rule.ts';

export const handler = operation(
  {
    route: 'POST /v1/loyalties/{campaignId}/earning-rules/{earningRuleId}/enable',
    scope: 'loyalties',
    summary: 'Enable an earning rule',
    body: 'ignored',
    answers: 'The enabled rule.',
    reply: earningRule,
    errors: ['not_found'],
    example: { params: { campaignId: 'Harbour Crew', earningRuleId: 'ern_purchase' } },
  },
  (call) => switchEarningRule(call, call.params.campaignId, call.params.earningRuleId, true),
);
