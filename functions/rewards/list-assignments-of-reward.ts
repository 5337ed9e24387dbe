import * as v from 'valibot';
import { listAssignmentsOfReward } from '#engine/loyalty/find-assignment.ts';
import { rewardAssignment } from '#engine/loyalty/reward.ts';
import { listEnvelope } from '#kernel/core/schema.ts';
import { operation } from '#kernel/http/operation.ts';
import { pageQuery } from '#kernel/http/page.ts';

export const handler = operation(
  {
    route: 'GET /v1/rewards/{rewardId}/assignments',
    scope: 'rewards',
    summary: 'List the assignments of a reward',
    note: 'Returns the newest first.',
    answers: "A page of the reward's assignments to loyalty programmes.",
    query: v.object(pageQuery),
    reply: listEnvelope(rewardAssignment),
    errors: ['not_found'],
    example: { params: { rewardId: 'rew_beans' } },
  },
  (call) => listAssignmentsOfReward(call, call.params.rewardId, call.query),
);
