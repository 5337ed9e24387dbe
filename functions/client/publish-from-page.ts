import { publishToBrowser } from '#engine/checkout/browser/replies.ts';
import { publication } from '#engine/publishing/present-publication.ts';
import { browserPublicationQuery, publishing } from '#engine/publishing/publication-body.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'POST /client/v1/publish',
    caller: 'client',
    scope: 'client_publish',
    clientSwitch: 'publication',
    serverKeys: true,
    summary: 'Publish vouchers to a customer from a browser',
    ...publishing,
    query: browserPublicationQuery,
    note:
      "A browser publishes one voucher in each call. The campaign's `client_publication` must name the type of the " +
      'voucher. A customer with a voucher of the campaign gets the same voucher again. A browser sends no ' +
      '`metadata` and changes no customer. A server with an app key publishes as with `POST /v1/publications`.',
    answers:
      'The publication with its voucher, or with the codes of several vouchers. It shows only the ids of the customer.',
    reply: publication,
    example: { body: { campaign: { name: 'Bring a shipmate' }, customer: { source_id: 'crm-102' } } },
  },
  ({ body, query, ...call }) => {
    const { campaign = body.campaign, join_once } = query;
    return publishToBrowser(call, { ...body, campaign, join_once });
  },
);
