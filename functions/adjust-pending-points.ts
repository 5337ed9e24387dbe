import { endpoint } from '../lib/http/endpoint.ts';
import { adjustPendingPoints } from '../lib/loyalty/adjust-pending-points.ts';
import { loyaltyRoutes } from '../lib/routes/loyalties.ts';

export const handler = endpoint(loyaltyRoutes, 'adjust-pending-points', (call) =>
  adjustPendingPoints(call, call.params.memberId, call.params.pendingPointsId, call.body.points),
);
