import { listEnvelope } from '../../lib/core/schema.ts';
import { operation } from '../../lib/http/operation.ts';
import { listMemberRewards, loyaltyReward, memberRewardsQuery } from '../../lib/loyalty/rewards/list-member-rewards.ts';

export const handler = operation(
  {
    route: 'GET /v1/loyalties/members/{memberId}/rewards',
    scope: 'loyalties',
    summary: 'List the rewards that a member can get',
    note: 'Returns the newest assignment first.',
    answers: "The rewards that the card's programme gives for points.",
    query: memberRewardsQuery,
    reply: listEnvelope(loyaltyReward),
    errors: ['not_found'],
    example: { params: { memberId: 'CREW-INGRID' }, query: 'affordable_only=true' },
  },
  (call) => listMemberRewards(call, call.params.memberId, call.query),
);
