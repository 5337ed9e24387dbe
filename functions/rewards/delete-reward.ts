import { deleteReward } from '#engine/loyalty/save-reward.ts';
import { operation } from '#kernel/http/operation.ts';
import { empty } from '#kernel/http/route.ts';

export const handler = operation(
  {
    route: 'DELETE /v1/rewards/{rewardId}',
    scope: 'rewards',
    summary: 'Delete a reward',
    note: 'Refuses a reward that is assigned to a loyalty programme. Delete its assignments first.',
    answers: 'The object is deleted. The reply has no body.',
    reply: empty,
    errors: ['resource_in_use', 'not_found'],
    example: { params: { rewardId: 'rew_papers' } },
  },
  (call) => deleteReward(call, call.params.rewardId),
);
