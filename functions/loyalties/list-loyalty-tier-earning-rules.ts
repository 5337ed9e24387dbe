import { earningRule } from '#engine/loyalty/earning/public-rule.ts';
import { listEarningRulesOfTier, rulesOfTierQuery } from '#engine/loyalty/programmes/read-rules.ts';
import { listEnvelope } from '#kernel/core/schema.ts';
import { operation } from '#kernel/http/operation.ts';

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
