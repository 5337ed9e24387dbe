import { publication } from '#engine/publishing/present-publication.ts';
import { publishByQuery, publishing, readAskedPublication } from '#engine/publishing/publication-body.ts';
import { publish } from '#engine/publishing/publish.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'GET /v1/publications/create',
    scope: 'publications',
    summary: 'Publish a voucher to a customer by an address alone',
    note:
      'Works like `POST /v1/publications`, for callers that can only open an address: ' +
      '`campaign[name]=…&customer[source_id]=…`. Without a `source_id`, opening the address twice publishes twice.',
    table: 'write',
    query: publishByQuery,
    answers: 'The publication with its voucher.',
    reply: publication,
    errors: [...publishing.errors, 'invalid_payload'],
    example: { query: 'voucher=TIDE-HELLO&customer[source_id]=crm-102&source_id=mail-7&metadata[mail]=7' },
  },
  (call) => publish(call, readAskedPublication(call.query, { atMost: 1 })),
);
