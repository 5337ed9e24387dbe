import { memberBalance, presentPoints } from '#engine/loyalty/balances/balance.ts';
import { activatePendingPoints } from '#engine/loyalty/pending-points.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'POST /v1/loyalties/members/{memberId}/pending-points/{pendingPointsId}/activate',
    scope: 'loyalties',
    summary: 'Activate pending points before their time',
    note: "The points move to the card's balance. They expire by the rules of the programme, counted from today.",
    body: 'ignored',
    answers: 'The balance with these points.',
    reply: memberBalance,
    errors: ['not_found', 'invalid_pending_points_state'],
    example: { params: { memberId: 'CREW-INGRID', pendingPointsId: 'lopp_roasting' } },
  },
  (call) => activatePendingPoints(call, call.params.memberId, call.params.pendingPointsId).then(presentPoints),
);
