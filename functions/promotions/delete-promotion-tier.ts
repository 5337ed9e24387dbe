import { deleteTier } from '../../lib/campaigns/promotions/delete-tier.ts';
import { operation } from '../../lib/http/operation.ts';
import { empty } from '../../lib/http/route.ts';

export const handler = operation(
  {
    route: 'DELETE /v1/promotions/tiers/{promotionTierId}',
    scope: 'promotions',
    summary: 'Delete a promotion tier',
    note: 'For good, with the assignments of its validation rules. Not while a promotion stack names it.',
    answers: 'Deleted: the reply has no body.',
    reply: empty,
    errors: ['not_found', 'resource_in_use'],
    example: { params: { promotionTierId: 'promo_four_bags' } },
  },
  (call) => deleteTier(call, call.params.promotionTierId),
);
