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
    note: 'Merges the metadata into each product. An unknown source id creates a product.',
    body: productsMetadata.body,
    files: keepsFiles,
    answers: 'The id of the async action that does the work.',
    reply: json(startedAction, { status: 202 }),
    example: { body: { source_ids: ['mug-tin', 'mug-glass'], metadata: { fragile: true } } },
  },
  (call) => startBulk(call, productsMetadata, call.body),
);
