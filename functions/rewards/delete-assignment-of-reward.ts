import { removeAssignment } from '#engine/loyalty/assign-reward.ts';
import { operation } from '#kernel/http/operation.ts';
import { empty } from '#kernel/http/route.ts';

export const handler = operation(
  {
    route: 'DELETE /v1/rewards/{rewardId}/assignments/{assignmentId}',
    scope: 'rewards',
    summary: 'Remove a reward from a loyalty programme',
    note: 'Members can no longer redeem the reward in this programme. Tiers lose what they changed of its price. The reward itself stays.',
    answers: 'The object is deleted. The reply has no body.',
    reply: empty,
    errors: ['not_found'],
    example: { params: { rewardId: 'rew_large_tin', assignmentId: 'rewa_large_tin' } },
  },
  (call) => removeAssignment(call, { reward: call.params.rewardId }, call.params.assignmentId),
);
