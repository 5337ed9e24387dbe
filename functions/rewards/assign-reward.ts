import { assignReward } from '#engine/loyalty/assign-reward.ts';
import { assignRewardBody } from '#engine/loyalty/find-assignment.ts';
import { rewardAssignment } from '#engine/loyalty/reward.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'POST /v1/rewards/{rewardId}/assignments',
    scope: 'rewards',
    summary: 'Assign a reward to a loyalty programme',
    note:
      "`parameters.loyalty.points` is the reward's price for members. A COIN reward has no price, because its " +
      'ratios say how points pay for orders.',
    answers: 'The assignment.',
    body: assignRewardBody,
    reply: rewardAssignment,
    errors: ['missing_param', 'not_found', 'duplicate_found'],
    example: {
      params: { rewardId: 'rew_more_papers' },
      body: { campaign: 'camp_crew', parameters: { loyalty: { points: 450 } } },
    },
  },
  (call) => assignReward(call, call.params.rewardId, call.body),
);
