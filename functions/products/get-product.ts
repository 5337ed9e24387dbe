import { product } from '../../lib/catalogue/products/resource.ts';
import { getProduct } from '../../lib/catalogue/products/show-product.ts';
import { operation } from '../../lib/http/operation.ts';

export const handler = operation(
  {
    route: 'GET /v1/products/{productId}',
    scope: 'products',
    summary: 'Get a product',
    answers: 'The product with the newest hundred of its SKUs; `skus.total` says how many it has.',
    params: { productId: 'Its id or source id.' },
    reply: product.reply,
    errors: ['not_found'],
    example: { params: { productId: 'prod_beans' } },
  },
  (call) => getProduct(call, call.params.productId),
);
