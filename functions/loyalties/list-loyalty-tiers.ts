import { loyaltyTier } from '#engine/campaigns/programme.ts';
import { listLoyaltyTiers, tiersQuery } from '#engine/loyalty/programmes/read-tiers.ts';
import { listEnvelope } from '#kernel/core/schema.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'GET /v1/loyalties/{campaignId}/tiers',
    scope: 'loyalties',
    summary: 'List the loyalty tiers of a campaign',
    note: 'A tier has its bounds in points, and what it changes of earning rules and rewards.',
    query: tiersQuery,
    answers: 'The tiers of the programme, the lowest first unless `order` says otherwise.',
    reply: listEnvelope(loyaltyTier),
    errors: ['not_found'],
    example: { params: { campaignId: 'Harbour Crew' } },
  },
  (call) => listLoyaltyTiers(call, call.params.campaignId, call.query),
);
