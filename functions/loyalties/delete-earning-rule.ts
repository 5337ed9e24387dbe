import { operation } from '../../lib/http/operation.ts';
import { empty } from '../../lib/http/route.ts';
import { deleteRule } from '../../lib/loyalty/programmes/change-rule.ts';

export const handler = operation(
  {
    route: 'DELETE /v1/loyalties/{campaignId}/earning-rules/{earningRuleId}',
    scope: 'loyalties',
    summary: 'Delete an earning rule',
    note: 'Tiers forget it. What it has earned stays, and so do its pending points.',
    answers: 'The rule is gone.',
    reply: empty,
    errors: ['not_found'],
    example: { params: { campaignId: 'Harbour Crew', earningRuleId: 'ern_quiz' } },
  },
  (call) => deleteRule(call, call.params.campaignId, call.params.earningRuleId),
);
