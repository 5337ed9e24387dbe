import { operation } from '../../lib/http/operation.ts';
import { listPublications, listPublicationsQuery } from '../../lib/publishing/list-publications.ts';
import { publicationList } from '../../lib/publishing/present-publication.ts';

export const handler = operation(
  {
    route: 'GET /v1/publications',
    scope: 'publications',
    summary: 'List publications',
    note:
      'Newest first unless `order` says otherwise; those that failed have the `result` FAILURE. `tracking_id` and `channel` sort ' +
      'the newest 10,000; filters look through 10,000.',
    query: listPublicationsQuery,
    answers: 'A page of the publications.',
    reply: publicationList,
    example: { query: 'filters[result][conditions][$is]=SUCCESS&order=voucher_code' },
  },
  (call) => listPublications(call, call.query),
);
