import { loyaltyTierReward } from '#engine/loyalty/reward.ts';
import { listTierRewards } from '#engine/loyalty/rewards/list-tier-rewards.ts';
import { listEnvelope } from '#kernel/core/schema.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'GET /v1/loyalties/{campaignId}/tiers/{loyaltyTierId}/rewards',
    scope: 'loyalties',
    summary: 'List the rewards of a loyalty tier',
    note:
      'Lists all rewards of the programme, the newest assignment first. `parameters.loyalty.points` is the price ' +
      'for members of the tier.',
    answers:
      'The rewards of the programme, at the price of the tier. A large reply may leave rewards out, but has the ' +
      'total.',
    reply: listEnvelope(loyaltyTierReward),
    errors: ['not_found'],
    example: { params: { campaignId: 'Harbour Crew', loyaltyTierId: 'ltr_captain' } },
  },
  (call) => listTierRewards(call, call.params.campaignId, call.params.loyaltyTierId),
);
