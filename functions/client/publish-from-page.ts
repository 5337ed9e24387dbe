import { publishToPage } from '../../lib/client/replies.ts';
import { operation } from '../../lib/http/operation.ts';
import { publication } from '../../lib/publications/present-publication.ts';
import { askedFor, createPublicationBody, createPublicationQuery } from '../../lib/publications/publication-body.ts';

export const handler = operation(
  {
    route: 'POST /client/v1/publish',
    caller: 'client',
    scope: 'client_publish',
    clientSwitch: 'publication',
    summary: 'Publish vouchers to a customer from a page',
    note:
      'A voucher that is named, or up to 50 free ones of a campaign, which makes more where it is AUTO_UPDATE and has none left. ' +
      'The same `source_id` for the same customer and voucher or campaign is answered with the first publication.',
    query: createPublicationQuery,
    body: createPublicationBody,
    answers: 'The publication with its voucher, or with the codes of several; of its customer the ids alone.',
    reply: publication,
    errors: [
      'not_found',
      'duplicate_found',
      'missing_vouchers',
      'too_many_vouchers_requested',
      'voucher_already_published',
      'voucher_cannot_be_published',
      'no_voucher_suitable_for_publication',
      'duplicate_source_id',
    ],
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
