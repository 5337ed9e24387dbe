import { product } from '#engine/catalogue/products/resource.ts';
import { createProduct } from '#engine/catalogue/products/show-product.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'POST /v1/products',
    scope: 'products',
    summary: 'Create or update a product',
    note: 'The `id` or `source_id` of an existing product updates that product with the fields that are sent.',
    answers: 'The product, without its SKUs.',
    body: product.createBody,
    reply: product.reply,
    errors: ['not_found', 'duplicate_found'],
    example: { body: { source_id: 'mug-enamel', name: 'Enamel mug', price: 1900, attributes: ['colour'] } },
  },
  (call) => createProduct(call, call.body),
);
