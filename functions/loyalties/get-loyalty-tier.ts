import { loyaltyTier } from '#engine/campaigns/programme.ts';
import { getLoyaltyTier } from '#engine/loyalty/programmes/read-tiers.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'GET /v1/loyalties/{campaignId}/tiers/{loyaltyTierId}',
    scope: 'loyalties',
    summary: 'Get a loyalty tier',
    note: 'A tier has its bounds in points, and what it changes of earning rules and rewards.',
    answers: 'The tier.',
    reply: loyaltyTier,
    errors: ['not_found'],
    example: { params: { campaignId: 'Harbour Crew', loyaltyTierId: 'ltr_captain' } },
  },
  (call) => getLoyaltyTier(call, call.params.campaignId, call.params.loyaltyTierId),
);
