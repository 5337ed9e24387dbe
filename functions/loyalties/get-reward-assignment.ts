import { getAssignment } from '#engine/loyalty/find-assignment.ts';
import { rewardAssignment } from '#engine/loyalty/reward.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'GET /v1/loyalties/{campaignId}/reward-assignments/{assignmentId}',
    scope: 'loyalties',
    summary: 'Get a reward assignment of a loyalty campaign',
    note: 'The assignment names the reward by its id, and has its price in points.',
    answers: 'The assignment.',
    reply: rewardAssignment,
    errors: ['not_found'],
    example: { params: { campaignId: 'Harbour Crew', assignmentId: 'rewa_beans' } },
  },
  (call) => getAssignment(call, { campaign: call.params.campaignId }, call.params.assignmentId),
);
