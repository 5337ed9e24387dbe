import { changeAssignment } from '#engine/loyalty/assign-reward.ts';
import { changeAssignmentBody } from '#engine/loyalty/find-assignment.ts';
import { rewardAssignment } from '#engine/loyalty/reward.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'PUT /v1/rewards/{rewardId}/assignments/{assignmentId}',
    scope: 'rewards',
    summary: 'Change the price of a reward by its assignment',
    note: 'The new price applies to later redemptions. A COIN reward has no price.',
    answers: 'The updated assignment.',
    body: changeAssignmentBody,
    reply: rewardAssignment,
    errors: ['not_found'],
    example: {
      params: { rewardId: 'rew_beans', assignmentId: 'rewa_beans' },
      body: { parameters: { loyalty: { points: 320 } } },
    },
  },
  (call) => changeAssignment(call, { reward: call.params.rewardId }, call.params.assignmentId, call.body),
);
