import { publishToPage } from '../../lib/client/replies.ts';
import { operation } from '../../lib/http/operation.ts';
import { publication } from '../../lib/publications/present-publication.ts';
import { askedFor, publishing } from '../../lib/publications/publication-body.ts';

export const handler = operation(
  {
    route: 'POST /client/v1/publish',
    caller: 'client',
    scope: 'client_publish',
    clientSwitch: 'publication',
    serverKeys: true,
    summary: 'Publish vouchers to a customer from a page',
    ...publishing,
    answers: 'The publication with its voucher, or with the codes of several; of its customer the ids alone.',
    reply: publication,
    example: {
      body: {
        campaign: { name: 'Gift tins' },
        customer: { id: 'cust_ingrid' },
        source_id: 'page-3-9',
        metadata: { till: 3 },
      },
    },
  },
  (call) => publishToPage(call, askedFor({ ...call.body, ...call.query })),
);
