import { endSessions } from '../../lib/campaigns/promotions/end-sessions.ts';
import { operation } from '../../lib/http/operation.ts';
import { empty } from '../../lib/http/route.ts';

export const handler = operation(
  {
    route: 'DELETE /v1/promotions/tiers/{promotionTierId}/sessions',
    scope: 'promotions',
    summary: 'End all sessions that lock a promotion tier',
    note: 'It ends what sessions keep of limits that rules count for the tier alone. Those of its campaign have an operation of their own.',
    answers: 'Nobody keeps anything of the tier: the reply has no body.',
    reply: empty,
    errors: ['not_found'],
    example: { params: { promotionTierId: 'promo_rainy_day' } },
  },
  (call) => endSessions(call, call.params.promotionTierId),
);
