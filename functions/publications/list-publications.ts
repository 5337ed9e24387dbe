import { listPublications, publicationsListed } from '#engine/publishing/list-publications.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'GET /v1/publications',
    scope: 'publications',
    summary: 'List publications',
    note:
      'Returns the newest first unless `order` says otherwise. A failed publication has the `result` FAILURE. ' +
      '`tracking_id` and `channel` sort only the newest 10,000. Filters look at 10,000 publications.',
    query: publicationsListed.query,
    answers: 'A page of the publications.',
    reply: publicationsListed.reply,
    example: { query: 'filters[result][conditions][$is]=SUCCESS&order=voucher_code' },
  },
  (call) => listPublications(call, call.query),
);
