import { endTierSessions } from '#engine/campaigns/promotions/end-sessions.ts';
import { operation } from '#kernel/http/operation.ts';
import { empty } from '#kernel/http/route.ts';

export const handler = operation(
  {
    route: 'DELETE /v1/promotions/tiers/{promotionTierId}/sessions',
    scope: 'promotions',
    summary: 'End all sessions that lock a promotion tier',
    note:
      "Releases what sessions hold of limits that rules count for this tier alone. The campaign's sessions have " +
      'their own operation.',
    answers: 'No session holds anything of the tier. The reply has no body.',
    reply: empty,
    errors: ['not_found'],
    example: { params: { promotionTierId: 'promo_rainy_day' } },
  },
  (call) => endTierSessions(call, call.params.promotionTierId),
);
