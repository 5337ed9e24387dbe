import { getAssignment } from '#engine/loyalty/find-assignment.ts';
import { rewardAssignment } from '#engine/loyalty/reward.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'GET /v1/rewards/{rewardId}/assignments/{assignmentId}',
    scope: 'rewards',
    summary: 'Get an assignment of a reward',
    note: 'The assignment names the loyalty programme by its id, and has the price of the reward in points.',
    answers: 'The assignment.',
    reply: rewardAssignment,
    errors: ['not_found'],
    example: { params: { rewardId: 'rew_beans', assignmentId: 'rewa_beans' } },
  },
  (call) => getAssignment(call, { reward: call.params.rewardId }, call.params.assignmentId),
);
