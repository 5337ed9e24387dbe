import { deleteProduct } from '../../lib/catalogue/products/delete-product.ts';
import { forceQuery } from '../../lib/catalogue/products/resource.ts';
import { operation } from '../../lib/http/operation.ts';
import { empty } from '../../lib/http/route.ts';

export const handler = operation(
  {
    route: 'DELETE /v1/products/{productId}',
    scope: 'products',
    summary: 'Delete a product',
    note: 'Its SKUs go with it, for ever. Without `force` its own source id stays taken until it is deleted in the bin.',
    answers: 'Deleted: the reply has no body.',
    params: { productId: 'Its id or source id.' },
    query: forceQuery,
    reply: empty,
    errors: ['not_found'],
    example: { params: { productId: 'prod_filter' }, query: 'force=true' },
  },
  (call) => deleteProduct(call, call.params.productId, call.query),
);
