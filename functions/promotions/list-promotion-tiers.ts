import { listPromotionTiers, tierQuery } from '#engine/campaigns/promotions/list-tiers.ts';
import { tierList } from '#engine/campaigns/promotions/promotion-tier.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'GET /v1/promotions/tiers',
    scope: 'promotions',
    summary: 'List the promotion tiers of the project',
    note: 'Tiers are sorted by `hierarchy` unless `order` says otherwise.',
    query: tierQuery,
    answers: 'A page of the tiers.',
    reply: tierList,
  },
  (call) => listPromotionTiers(call, call.query),
);
