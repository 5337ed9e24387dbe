import { operation } from '../../lib/http/operation.ts';
import { listMemberPendingPoints, pendingPointsListed } from '../../lib/loyalty/list-pending-points.ts';

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
