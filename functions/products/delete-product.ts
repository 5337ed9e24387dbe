import { deleteProduct } from '#engine/catalogue/products/delete-product.ts';
import { forceQuery } from '#engine/catalogue/products/resource.ts';
import { operation } from '#kernel/http/operation.ts';
import { empty } from '#kernel/http/route.ts';

export const handler = operation(
  {
    route: 'DELETE /v1/products/{productId}',
    scope: 'products',
    summary: 'Delete a product',
    note:
      'Also deletes its SKUs, permanently. Without `force` its source id stays reserved until its entry in the bin is ' +
      'deleted.',
    answers: 'The object is deleted. The reply has no body.',
    params: { productId: 'Id or source id of the product.' },
    query: forceQuery,
    reply: empty,
    errors: ['not_found'],
    example: { params: { productId: 'prod_filter' }, query: 'force=true' },
  },
  (call) => deleteProduct(call, call.params.productId, call.query),
);
