import { product } from '../../lib/catalogue/products/resource.ts';
import { listProducts } from '../../lib/catalogue/products/show-product.ts';
import { operation } from '../../lib/http/operation.ts';

export const handler = operation(
  {
    route: 'GET /v1/products',
    scope: 'products',
    summary: 'List the products of the project',
    note: 'Newest first unless `order` says otherwise. `filters` looks through 10,000 products at a time: `more_starting_after` says how far.',
    answers: 'The products, each with the newest hundred of its SKUs.',
    query: product.listQuery,
    reply: product.listReply,
  },
  (call) => listProducts(call, call.query),
);
