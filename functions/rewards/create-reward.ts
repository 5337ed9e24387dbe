import { operation } from '../../lib/http/operation.ts';
import { reward } from '../../lib/loyalty/reward.ts';
import { createRewardBody } from '../../lib/loyalty/reward-body.ts';
import { createReward } from '../../lib/loyalty/save-reward.ts';

export const handler = operation(
  {
    route: 'POST /v1/rewards',
    scope: 'rewards',
    summary: 'Create a reward',
    note: 'Its `parameters` say what it gives: a code, credits or points of a campaign; a product or SKU; or money off an order for points.',
    answers: 'The reward.',
    body: createRewardBody,
    reply: reward.reply,
    errors: ['invalid_balance', 'not_found'],
    example: {
      body: { name: 'Two gift tins', type: 'CAMPAIGN', parameters: { campaign: { id: 'camp_gift', balance: 20_000 } } },
    },
  },
  (call) => createReward(call, call.body),
);
