import { productsMetadata } from '#engine/catalogue/products/bulk.ts';
import { operation } from '#kernel/http/operation.ts';
import { startBulk } from '#kernel/kit/bulk/job.ts';
import { startsBulk } from '#kernel/kit/bulk/starts-bulk.ts';

export const handler = operation(
  {
    route: 'POST /v1/products/metadata/async',
    scope: 'products',
    summary: 'Update the metadata of many products',
    note: 'Merges the metadata into each product. An unknown source id creates a product.',
    body: productsMetadata.body,
    ...startsBulk,
    example: { body: { source_ids: ['mug-tin', 'mug-glass'], metadata: { fragile: true } } },
  },
  (call) => startBulk(call, productsMetadata, call.body),
);
