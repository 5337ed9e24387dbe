import { listRewardAssignments, rewardAssignmentQuery } from '#engine/loyalty/list-reward-assignments.ts';
import { rewardAssignment } from '#engine/loyalty/reward.ts';
import { listEnvelope } from '#kernel/core/schema.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'GET /v1/loyalties/{campaignId}/reward-assignments',
    scope: 'loyalties',
    summary: 'List the reward assignments of a loyalty campaign',
    note: 'An assignment has the price of the reward in points.',
    query: rewardAssignmentQuery,
    answers: 'A page of the assignments of rewards to the campaign.',
    reply: listEnvelope(rewardAssignment),
    errors: ['not_found'],
    example: { params: { campaignId: 'Harbour Crew' } },
  },
  (call) => listRewardAssignments(call, call.params.campaignId, call.query),
);
