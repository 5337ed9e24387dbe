import * as v from 'valibot';
import { rewardAssignmentQuery } from '../loyalty/list-reward-assignments.ts';
import { loyaltyTierReward, rewardAssignment } from '../loyalty/reward.ts';
import { listOf, text } from '../schema.ts';
import type { Routes } from './route.ts';

/** An id or a name. */
const params = v.object({ campaignId: text });

const assignments = {
  method: 'GET',
  authentication: 'server',
  scope: 'loyalties',
  access: 'read',
  params,
  query: rewardAssignmentQuery,
  reply: { kind: 'json', status: 200, schema: listOf(rewardAssignment) },
  errors: ['not_found'],
} as const;

export const loyaltyRewardRoutes = {
  'list-reward-assignments': {
    ...assignments,
    path: '/v1/loyalties/{campaignId}/reward-assignments',
    summary: 'List the reward assignments of a loyalty campaign',
  },
  /** Not in the contract: a client library knows the list under this path. */
  'list-rewards': {
    ...assignments,
    path: '/v1/loyalties/{campaignId}/rewards',
    summary: 'List the reward assignments of a loyalty campaign, under its other path',
  },
  'list-loyalty-tier-rewards': {
    method: 'GET',
    path: '/v1/loyalties/{campaignId}/tiers/{loyaltyTierId}/rewards',
    summary: 'List the rewards of a loyalty tier',
    authentication: 'server',
    scope: 'loyalties',
    access: 'read',
    params: v.object({ campaignId: text, loyaltyTierId: text }),
    reply: { kind: 'json', status: 200, schema: listOf(loyaltyTierReward) },
    errors: ['not_found'],
  },
} as const satisfies Routes;
