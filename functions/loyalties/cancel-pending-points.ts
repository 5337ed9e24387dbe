import { cancelPendingPoints } from '#engine/loyalty/pending-points.ts';
import { operation } from '#kernel/http/operation.ts';
import { empty } from '#kernel/http/route.ts';

export const handler = operation(
  {
    route: 'POST /v1/loyalties/members/{memberId}/pending-points/{pendingPointsId}/cancel',
    scope: 'loyalties',
    summary: 'Cancel pending points',
    note: 'The card never gets these points. Active points and points that were cancelled before are refused.',
    body: 'ignored',
    answers: 'The points are cancelled. The reply has no body.',
    reply: empty,
    errors: ['not_found', 'invalid_pending_points_state'],
    example: { params: { memberId: 'CREW-INGRID', pendingPointsId: 'lopp_brewing' } },
  },
  (call) => cancelPendingPoints(call, call.params.memberId, call.params.pendingPointsId),
);
