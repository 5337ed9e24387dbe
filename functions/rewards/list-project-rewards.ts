import { reward } from '#engine/loyalty/reward.ts';
import { listRewards, rewardQuery } from '#engine/loyalty/save-reward.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'GET /v1/rewards',
    scope: 'rewards',
    summary: 'List the rewards of the project',
    note: 'Returns the newest first unless `order` says otherwise.',
    answers: 'A page of the rewards.',
    query: rewardQuery,
    reply: reward.listReply,
  },
  (call) => listRewards(call, call.query),
);
