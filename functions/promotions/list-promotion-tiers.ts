import { operation } from '../../lib/http/operation.ts';
import { listTiers, tierQuery } from '../../lib/promotions/list-tiers.ts';
import { tierList } from '../../lib/tiers/promotion-tier.ts';

export const handler = operation(
  {
    route: 'GET /v1/promotions/tiers',
    scope: 'promotions',
    summary: 'List the promotion tiers of the project',
    query: tierQuery,
    answers: 'A page of the tiers.',
    reply: tierList,
  },
  (call) => listTiers(call, call.query),
);
