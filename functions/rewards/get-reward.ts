import { reward } from '#engine/loyalty/reward.ts';
import { operation } from '#kernel/http/operation.ts';
import { getResource } from '#kernel/kit/resource/operations.ts';

export const handler = operation(
  {
    route: 'GET /v1/rewards/{rewardId}',
    scope: 'rewards',
    summary: 'Get a reward',
    note: 'The reply has no price in points, because each programme sets it in its assignment.',
    answers: 'The reward.',
    reply: reward.reply,
    errors: ['not_found'],
    example: { params: { rewardId: 'rew_beans' } },
  },
  (call) => getResource(call, reward, call.params.rewardId),
);
