import { listMemberRewards, loyaltyReward, memberRewardsQuery } from '#engine/loyalty/rewards/list-member-rewards.ts';
import { listEnvelope } from '#kernel/core/schema.ts';
import { operation } from '#kernel/http/operation.ts';

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
