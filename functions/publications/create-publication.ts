import { publication } from '#engine/publishing/present-publication.ts';
import { publishing, readAskedPublication } from '#engine/publishing/publication-body.ts';
import { publish } from '#engine/publishing/publish.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'POST /v1/publications',
    scope: 'publications',
    summary: 'Publish vouchers to a customer',
    ...publishing,
    answers: 'The publication with its voucher, or with the codes of several vouchers.',
    reply: publication,
    example: {
      body: {
        campaign: { name: 'Gift tins' },
        customer: { id: 'cust_ingrid' },
        source_id: 'till-3-9',
        metadata: { till: 3 },
      },
    },
  },
  (call) => publish(call, readAskedPublication({ ...call.body, ...call.query })),
);
