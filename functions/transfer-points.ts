import { endpoint } from '../lib/http/endpoint.ts';
import { transferPoints } from '../lib/loyalty/transfer-points.ts';
import { loyaltyRoutes } from '../lib/routes/loyalties.ts';

export const handler = endpoint(loyaltyRoutes, 'transfer-points', (call) =>
  transferPoints(call, call.params.campaignId, call.params.memberId, call.body),
);
