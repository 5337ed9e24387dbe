import { skuList, skuQuery } from '#engine/catalogue/products/resource.ts';
import { listSkus } from '#engine/catalogue/products/show-product.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'GET /v1/products/{productId}/skus',
    scope: 'products',
    summary: 'List the SKUs of a product',
    note: 'A page continues after the SKU that `starting_after_id` names.',
    answers: 'The newest SKUs of the product. Without a `limit`, the reply has at most 100.',
    query: skuQuery,
    params: { productId: 'Id or source id of the product.' },
    reply: skuList,
    errors: ['not_found'],
    example: { params: { productId: 'prod_beans' } },
  },
  (call) => listSkus(call, call.params.productId, call.query),
);
