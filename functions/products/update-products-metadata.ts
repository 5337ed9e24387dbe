import { productsMetadata } from '../../lib/catalogue/products/bulk.ts';
import { keepsFiles } from '../../lib/core/files/access.ts';
import { operation } from '../../lib/http/operation.ts';
import { json } from '../../lib/http/route.ts';
import { startBulk, startedAction } from '../../lib/kit/bulk/job.ts';

export const handler = operation(
  {
    route: 'POST /v1/products/metadata/async',
    scope: 'products',
    summary: 'Update the metadata of many products',
    note: 'Merges the metadata into each product; an unknown source id is a new product.',
    body: productsMetadata.body,
    files: keepsFiles,
    answers: 'The id of the action that does it.',
    reply: json(startedAction, { status: 202 }),
    example: { body: { source_ids: ['mug-tin', 'mug-glass'], metadata: { fragile: true } } },
  },
  (call) => startBulk(call, productsMetadata, call.body),
);
