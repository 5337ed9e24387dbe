import { reward } from '#engine/loyalty/reward.ts';
import { updateRewardBody } from '#engine/loyalty/reward-body.ts';
import { updateReward } from '#engine/loyalty/save-reward.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'PUT /v1/rewards/{rewardId}',
    scope: 'rewards',
    summary: 'Update a reward',
    note:
      'Fields that are not sent stay unchanged. `parameters` are replaced as a whole, and metadata is merged by ' +
      'key. The type never changes.',
    answers: 'The updated reward.',
    body: updateRewardBody,
    reply: reward.reply,
    errors: ['invalid_balance', 'not_found'],
    example: { params: { rewardId: 'rew_beans' }, body: { stock: 80, metadata: { season: 'autumn' } } },
  },
  (call) => updateReward(call, call.params.rewardId, call.body),
);
