import { operation } from '../../lib/http/operation.ts';
import { empty } from '../../lib/http/route.ts';
import { removeAssignment } from '../../lib/loyalty/assign-reward.ts';

export const handler = operation(
  {
    route: 'DELETE /v1/rewards/{rewardId}/assignments/{assignmentId}',
    scope: 'rewards',
    summary: 'Remove a reward from a loyalty programme',
    answers: 'The object is deleted. The reply has no body.',
    reply: empty,
    errors: ['not_found'],
    example: { params: { rewardId: 'rew_large_tin', assignmentId: 'rewa_large_tin' } },
  },
  (call) => removeAssignment(call, { reward: call.params.rewardId }, call.params.assignmentId),
);
