import { skuList, skuQuery } from '../../lib/catalogue/products/resource.ts';
import { listSkus } from '../../lib/catalogue/products/show-product.ts';
import { operation } from '../../lib/http/operation.ts';

export const handler = operation(
  {
    route: 'GET /v1/products/{productId}/skus',
    scope: 'products',
    summary: 'List the SKUs of a product',
    answers: 'SKUs of the product, newest first: a hundred of them, or `limit`.',
    query: skuQuery,
    params: { productId: 'Its id or source id.' },
    reply: skuList,
    errors: ['not_found'],
    example: { params: { productId: 'prod_beans' } },
  },
  (call) => listSkus(call, call.params.productId, call.query),
);
