import { listPromotionTiers, tierQuery } from '../../lib/campaigns/promotions/list-tiers.ts';
import { tierList } from '../../lib/campaigns/promotions/promotion-tier.ts';
import { operation } from '../../lib/http/operation.ts';

export const handler = operation(
  {
    route: 'GET /v1/promotions/tiers',
    scope: 'promotions',
    summary: 'List the promotion tiers of the project',
    query: tierQuery,
    answers: 'A page of the tiers.',
    reply: tierList,
  },
  (call) => listPromotionTiers(call, call.query),
);
