import * as v from 'valibot';
import { assignRewards } from '#engine/loyalty/assign-reward.ts';
import { assignRewardsBody } from '#engine/loyalty/find-assignment.ts';
import { rewardAssignment } from '#engine/loyalty/reward.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'POST /v1/loyalties/{campaignId}/rewards',
    scope: 'loyalties',
    summary: 'Assign rewards to a loyalty campaign',
    note: 'Assigns all rewards of the body, or none.',
    answers: 'The assignments, in the order of the body.',
    body: assignRewardsBody,
    reply: v.array(rewardAssignment),
    errors: ['missing_param', 'not_found', 'duplicate_found'],
    example: {
      params: { campaignId: 'Harbour Crew' },
      body: [{ reward: 'rew_season', parameters: { loyalty: { points: 450 } } }],
    },
  },
  (call) => assignRewards(call, call.params.campaignId, call.body),
);
