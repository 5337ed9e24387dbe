import { clientTierList, listTiersForPages } from '../../lib/client/replies.ts';
import { operation } from '../../lib/http/operation.ts';
import { tierQuery } from '../../lib/promotions/list-tiers.ts';

export const handler = operation(
  {
    route: 'GET /client/v1/promotions/tiers',
    caller: 'client',
    scope: 'client_promotions',
    clientSwitch: 'listing',
    summary: 'List the promotion tiers of the project for a page',
    query: tierQuery,
    answers: 'A page of the tiers, without their turnover and rules.',
    reply: clientTierList,
  },
  (call) => listTiersForPages(call, call.query),
);
