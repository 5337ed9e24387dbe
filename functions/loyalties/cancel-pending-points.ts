import { operation } from '../../lib/http/operation.ts';
import { empty } from '../../lib/http/route.ts';
import { cancelPendingPoints } from '../../lib/loyalty/pending-points.ts';

export const handler = operation(
  {
    route: 'POST /v1/loyalties/members/{memberId}/pending-points/{pendingPointsId}/cancel',
    scope: 'loyalties',
    summary: 'Cancel pending points',
    body: 'ignored',
    answers: 'The points are cancelled. The reply has no body.',
    reply: empty,
    errors: ['not_found', 'invalid_pending_points_state'],
    example: { params: { memberId: 'CREW-INGRID', pendingPointsId: 'lopp_brewing' } },
  },
  (call) => cancelPendingPoints(call, call.params.memberId, call.params.pendingPointsId),
);
