import { clientTierList, clientTierQuery, listTiersForBrowsers } from '#engine/checkout/browser/replies.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'GET /client/v1/promotions/tiers',
    caller: 'client',
    scope: 'client_promotions',
    clientSwitch: 'listing',
    summary: 'List the promotion tiers of the project for a browser',
    note: 'The project must switch `client.listing` on. The list does not depend on the cart or on the customer.',
    query: clientTierQuery,
    answers: 'A page of the tiers that a customer can use now, without their turnover and rules.',
    reply: clientTierList,
  },
  (call) => listTiersForBrowsers(call, call.query),
);
