import { product } from '#engine/catalogue/products/resource.ts';
import { listProducts } from '#engine/catalogue/products/show-product.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'GET /v1/products',
    scope: 'products',
    summary: 'List the products of the project',
    note:
      'Returns the newest first unless `order` says otherwise. `filters` looks at 10,000 products in a request, ' +
      'and `more_starting_after` says where to continue.',
    answers: 'The products, each with its newest hundred SKUs.',
    query: product.listQuery,
    reply: product.listReply,
  },
  (call) => listProducts(call, call.query),
);
