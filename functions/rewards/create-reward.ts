import { reward } from '#engine/loyalty/reward.ts';
import { createRewardBody } from '#engine/loyalty/reward-body.ts';
import { createReward } from '#engine/loyalty/save-reward.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'POST /v1/rewards',
    scope: 'rewards',
    summary: 'Create a reward',
    note:
      "`parameters` say what the reward gives. It gives a campaign's code, credits or points, a product or SKU, " +
      'or a discount on an order for points.',
    answers: 'The reward.',
    body: createRewardBody,
    reply: reward.reply,
    errors: ['invalid_balance', 'not_found'],
    example: {
      body: { name: 'Points at the till', type: 'COIN', parameters: { coin: { exchange_ratio: 1, points_ratio: 10 } } },
    },
  },
  (call) => createReward(call, call.body),
);
