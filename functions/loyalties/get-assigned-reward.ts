import { getAssignedReward } from '#engine/loyalty/find-assignment.ts';
import { reward } from '#engine/loyalty/reward.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'GET /v1/loyalties/{campaignId}/reward-assignments/{assignmentId}/reward',
    scope: 'loyalties',
    summary: 'Get the reward of a reward assignment',
    note: 'The reply is the reward itself. Its price in points is a part of the assignment.',
    answers: 'The reward.',
    reply: reward.reply,
    errors: ['not_found'],
    example: { params: { campaignId: 'Harbour Crew', assignmentId: 'rewa_beans' } },
  },
  (call) => getAssignedReward(call, call.params.campaignId, call.params.assignmentId),
);
