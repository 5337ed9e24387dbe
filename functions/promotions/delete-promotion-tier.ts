import { deleteTier } from '#engine/campaigns/promotions/delete-tier.ts';
import { operation } from '#kernel/http/operation.ts';
import { empty } from '#kernel/http/route.ts';

export const handler = operation(
  {
    route: 'DELETE /v1/promotions/tiers/{promotionTierId}',
    scope: 'promotions',
    summary: 'Delete a promotion tier',
    note:
      'Deletes the tier permanently, with the assignments of its validation rules. Refuses a tier that a promotion ' +
      'stack names.',
    answers: 'The object is deleted. The reply has no body.',
    reply: empty,
    errors: ['not_found', 'resource_in_use'],
    example: { params: { promotionTierId: 'promo_four_bags' } },
  },
  (call) => deleteTier(call, call.params.promotionTierId),
);
