import { sku } from '#engine/catalogue/products/resource.ts';
import { operation } from '#kernel/http/operation.ts';
import { createResource } from '#kernel/kit/resource/operations.ts';

export const handler = operation(
  {
    route: 'POST /v1/products/{productId}/skus',
    scope: 'products',
    summary: 'Create or update a SKU of a product',
    note: 'The `id` or `source_id` of an existing SKU of the product updates that SKU with the fields that are sent.',
    answers: 'The SKU with its fields.',
    params: { productId: 'Id or source id of the product.' },
    body: sku.createBody,
    reply: sku.reply,
    errors: ['not_found', 'duplicate_found'],
    example: {
      params: { productId: 'prod_beans' },
      body: { source_id: 'beans-500', sku: '500 g', price: 13900, currency: 'NOK', attributes: { weight: '500 g' } },
    },
  },
  (call) => createResource(call, sku, call.body, call.params.productId),
);
