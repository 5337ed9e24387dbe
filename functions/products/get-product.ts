import { product } from '#engine/catalogue/products/resource.ts';
import { getProduct } from '#engine/catalogue/products/show-product.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'GET /v1/products/{productId}',
    scope: 'products',
    summary: 'Get a product',
    note: '`GET /v1/products/{productId}/skus` lists all SKUs.',
    answers: 'The product with its newest hundred SKUs. `skus.total` counts all of them.',
    params: { productId: 'Id or source id of the product.' },
    reply: product.reply,
    errors: ['not_found'],
    example: { params: { productId: 'prod_beans' } },
  },
  (call) => getProduct(call, call.params.productId),
);
