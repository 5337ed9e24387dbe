import { listEnvelope } from '../../lib/core/schema.ts';
import { operation } from '../../lib/http/operation.ts';
import { earningRule } from '../../lib/loyalty/earning/public-rule.ts';
import { listEarningRulesOfTier, rulesOfTierQuery } from '../../lib/loyalty/programmes/read-rules.ts';

export const handler = operation(
  {
    route: 'GET /v1/loyalties/{campaignId}/tiers/{loyaltyTierId}/earning-rules',
    scope: 'loyalties',
    summary: 'List the earning rules of a loyalty tier',
    note:
      'Lists all rules of the programme. Points that the tier multiplies are shown multiplied. Points that the ' +
      'tier sets are shown in the tier only.',
    query: rulesOfTierQuery,
    answers: 'A page of the rules, the oldest first.',
    reply: listEnvelope(earningRule),
    errors: ['not_found'],
    example: { params: { campaignId: 'Harbour Crew', loyaltyTierId: 'ltr_captain' } },
  },
  (call) => listEarningRulesOfTier(call, call.params.campaignId, call.params.loyaltyTierId, call.query),
);
