import { earningRule } from '#engine/loyalty/earning/public-rule.ts';
import { switchEarningRule } from '#engine/loyalty/programmes/change-rule.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'POST /v1/loyalties/{campaignId}/earning-rules/{earningRuleId}/enable',
    scope: 'loyalties',
    summary: 'Enable an earning rule',
    note: 'A body is ignored. The rule earns for later orders and events, and nothing for earlier orders and events.',
    body: 'ignored',
    answers: 'The enabled rule.',
    reply: earningRule,
    errors: ['not_found'],
    example: { params: { campaignId: 'Harbour Crew', earningRuleId: 'ern_purchase' } },
  },
  (call) => switchEarningRule(call, call.params.campaignId, call.params.earningRuleId, true),
);
