import { operation } from '../../lib/http/operation.ts';
import { memberBalance, presentPoints } from '../../lib/loyalty/balances/balance.ts';
import { activatePendingPoints } from '../../lib/loyalty/pending-points.ts';

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
