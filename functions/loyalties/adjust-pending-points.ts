import { operation } from '../../lib/http/operation.ts';
import { adjustPendingPoints, adjustPendingPointsBody } from '../../lib/loyalty/adjust-pending-points.ts';
import { pendingPointsBalance } from '../../lib/loyalty/pending-points.ts';

export const handler = operation(
  {
    route: 'POST /v1/loyalties/members/{memberId}/pending-points/{pendingPointsId}/balance',
    scope: 'loyalties',
    summary: 'Adjust pending points',
    note: '`points` is added to what is pending, and must leave more than 0.',
    body: adjustPendingPointsBody,
    answers: 'The pending points as they are now.',
    reply: pendingPointsBalance,
    errors: ['not_found', 'invalid_pending_points_state', 'invalid_amount'],
    example: { params: { memberId: 'CREW-OLUF', pendingPointsId: 'lopp_tasting' }, body: { points: 10 } },
  },
  (call) => adjustPendingPoints(call, call.params.memberId, call.params.pendingPointsId, call.body.points),
);
