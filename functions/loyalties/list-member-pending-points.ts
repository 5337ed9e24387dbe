import { listMemberPendingPoints, pendingPointsListed } from '#engine/loyalty/list-pending-points.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'GET /v1/loyalties/members/{memberId}/pending-points',
    scope: 'loyalties',
    summary: 'List the pending points of a member by card code or id',
    note: 'Lists pending points that are neither activated nor cancelled.',
    query: pendingPointsListed.query,
    answers: 'A page of the pending points, the newest first unless `order` says otherwise.',
    reply: pendingPointsListed.reply,
    errors: ['not_found'],
    example: { params: { memberId: 'CREW-OLUF' } },
  },
  (call) => listMemberPendingPoints(call, call.params, call.query),
);
