import { endpoint } from '../lib/http/endpoint.ts';
import { listRewardAssignments } from '../lib/loyalty/list-reward-assignments.ts';
import { loyaltyRewardRoutes } from '../lib/routes/loyalty-rewards.ts';

export const handler = endpoint(loyaltyRewardRoutes, 'list-reward-assignments', (call) =>
  listRewardAssignments(call, call.params.campaignId, call.query),
);
