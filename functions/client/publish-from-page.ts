import { publishToPage } from '../../lib/checkout/browser/replies.ts';
import { operation } from '../../lib/http/operation.ts';
import { publication } from '../../lib/publishing/present-publication.ts';
import { pagePublicationQuery, publishing } from '../../lib/publishing/publication-body.ts';

export const handler = operation(
  {
    route: 'POST /client/v1/publish',
    caller: 'client',
    scope: 'client_publish',
    clientSwitch: 'publication',
    serverKeys: true,
    summary: 'Publish vouchers to a customer from a page',
    ...publishing,
    query: pagePublicationQuery,
    note:
      'A page publishes one voucher a call, of a campaign whose `client_publication` names its type. A customer who has a voucher of the campaign gets ' +
      'that one. A page sends no `metadata` and changes no customer. A server with an app key publishes as by `POST /v1/publications`.',
    answers: 'The publication with its voucher, or with the codes of several; of its customer the ids alone.',
    reply: publication,
    example: { body: { campaign: { name: 'Bring a shipmate' }, customer: { source_id: 'crm-102' } } },
  },
  ({ body, query, ...call }) => {
    const { campaign = body.campaign, join_once } = query;
    return publishToPage(call, { ...body, campaign, join_once });
  },
);
