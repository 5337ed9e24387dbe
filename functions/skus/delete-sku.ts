import { deleteSku } from '#engine/catalogue/products/delete-sku.ts';
import { forceQuery } from '#engine/catalogue/products/resource.ts';
import { operation } from '#kernel/http/operation.ts';
import { empty } from '#kernel/http/route.ts';

export const handler = operation(
  {
    route: 'DELETE /v1/products/{productId}/skus/{skuId}',
    scope: 'products',
    summary: 'Delete a SKU',
    note: 'Without `force` its source id stays reserved until its entry in the bin is deleted.',
    answers: 'The object is deleted. The reply has no body.',
    params: { productId: 'Id or source id of the product.', skuId: 'Id or source id of the SKU.' },
    query: forceQuery,
    reply: empty,
    errors: ['not_found'],
    example: { params: { productId: 'prod_beans', skuId: 'sku_beans_1000' }, query: 'force=true' },
  },
  (call) => deleteSku(call, call.params.productId, call.params.skuId, call.query),
);
