import { listEnvelope } from '../../lib/core/schema.ts';
import { operation } from '../../lib/http/operation.ts';
import { listRewardAssignments, rewardAssignmentQuery } from '../../lib/loyalty/list-reward-assignments.ts';
import { rewardAssignment } from '../../lib/loyalty/reward.ts';

export const handler = operation(
  {
    route: 'GET /v1/loyalties/{campaignId}/reward-assignments',
    scope: 'loyalties',
    summary: 'List the reward assignments of a loyalty campaign',
    query: rewardAssignmentQuery,
    answers: 'A page of the assignments of rewards to the campaign.',
    reply: listEnvelope(rewardAssignment),
    errors: ['not_found'],
    example: { params: { campaignId: 'Harbour Crew' } },
  },
  (call) => listRewardAssignments(call, call.params.campaignId, call.query),
);
