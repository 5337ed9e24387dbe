import { listPointsExpiration, pointsBucket, pointsExpirationQuery } from '#engine/loyalty/list-points-expiration.ts';
import { listEnvelope } from '#kernel/core/schema.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'GET /v1/loyalties/{campaignId}/members/{memberId}/points-expiration',
    scope: 'loyalties',
    summary: 'List when the points of a member expire',
    note: 'Pending points are left out, because they expire only after they are activated.',
    query: pointsExpirationQuery,
    answers: "A page of the card's remaining points by day of expiry, the soonest first.",
    reply: listEnvelope(pointsBucket),
    errors: ['not_found'],
    example: { params: { campaignId: 'Harbour Crew', memberId: 'CREW-INGRID' } },
  },
  (call) => listPointsExpiration(call, call.params, call.query),
);
