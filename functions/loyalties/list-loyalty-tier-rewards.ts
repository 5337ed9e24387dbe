import { operation } from '../../lib/http/operation.ts';
import { listTierRewards } from '../../lib/loyalty/list-tier-rewards.ts';
import { loyaltyTierReward } from '../../lib/loyalty/reward.ts';
import { listOf } from '../../lib/schema.ts';

export const handler = operation(
  {
    route: 'GET /v1/loyalties/{campaignId}/tiers/{loyaltyTierId}/rewards',
    scope: 'loyalties',
    summary: 'List the rewards of a loyalty tier',
    answers: 'The rewards of the tier.',
    reply: listOf(loyaltyTierReward),
    errors: ['not_found'],
    example: { params: { campaignId: 'Harbour Crew', loyaltyTierId: 'ltr_captain' } },
  },
  (call) => listTierRewards(call, call.params.campaignId, call.params.loyaltyTierId),
);
