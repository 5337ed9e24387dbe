import { adjustPendingPoints, adjustPendingPointsBody } from '#engine/loyalty/adjust-pending-points.ts';
import { pendingPointsBalance } from '#engine/loyalty/pending-points.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'POST /v1/loyalties/members/{memberId}/pending-points/{pendingPointsId}/balance',
    scope: 'loyalties',
    summary: 'Adjust pending points',
    note: 'Adds `points` to the pending points. More than 0 must remain.',
    body: adjustPendingPointsBody,
    answers: 'The adjusted pending points.',
    reply: pendingPointsBalance,
    errors: ['not_found', 'invalid_pending_points_state', 'invalid_amount'],
    example: { params: { memberId: 'CREW-OLUF', pendingPointsId: 'lopp_tasting' }, body: { points: 10 } },
  },
  (call) => adjustPendingPoints(call, call.params.memberId, call.params.pendingPointsId, call.body.points),
);
