import { operation } from '../../lib/http/operation.ts';
import { product } from '../../lib/products/resource.ts';
import { createProduct } from '../../lib/products/show-product.ts';

export const handler = operation(
  {
    route: 'POST /v1/products',
    scope: 'products',
    summary: 'Create or update a product',
    note: 'With the `id` or `source_id` of a product that is there, changes what is sent of that one.',
    answers: 'The product, without its SKUs.',
    body: product.createBody,
    reply: product.reply,
    errors: ['not_found', 'duplicate_found'],
    example: { body: { source_id: 'mug-enamel', name: 'Enamel mug', price: 1900, attributes: ['colour'] } },
  },
  (call) => createProduct(call, call.body),
);
