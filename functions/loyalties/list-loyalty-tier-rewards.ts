import { listOf } from '../../lib/core/schema.ts';
import { operation } from '../../lib/http/operation.ts';
import { loyaltyTierReward } from '../../lib/loyalty/reward.ts';
import { listTierRewards } from '../../lib/loyalty/rewards/list-tier-rewards.ts';

export const handler = operation(
  {
    route: 'GET /v1/loyalties/{campaignId}/tiers/{loyaltyTierId}/rewards',
    scope: 'loyalties',
    summary: 'List the rewards of a loyalty tier',
    note: 'All rewards of the programme are listed, newest assignment first. `parameters.loyalty.points` is what a member of the tier pays.',
    answers:
      'The rewards of the programme, at the price of the tier; as many as a reply has room for, with the number of all.',
    reply: listOf(loyaltyTierReward),
    errors: ['not_found'],
    example: { params: { campaignId: 'Harbour Crew', loyaltyTierId: 'ltr_captain' } },
  },
  (call) => listTierRewards(call, call.params.campaignId, call.params.loyaltyTierId),
);
