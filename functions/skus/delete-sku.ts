import { deleteSku } from '../../lib/catalogue/products/delete-sku.ts';
import { forceQuery } from '../../lib/catalogue/products/resource.ts';
import { operation } from '../../lib/http/operation.ts';
import { empty } from '../../lib/http/route.ts';

export const handler = operation(
  {
    route: 'DELETE /v1/products/{productId}/skus/{skuId}',
    scope: 'products',
    summary: 'Delete a SKU',
    note: 'Without `force` its source id stays taken until it is deleted in the bin.',
    answers: 'Deleted: the reply has no body.',
    params: { productId: 'Its id or source id.', skuId: 'Its id or source id.' },
    query: forceQuery,
    reply: empty,
    errors: ['not_found'],
    example: { params: { productId: 'prod_beans', skuId: 'sku_beans_1000' }, query: 'force=true' },
  },
  (call) => deleteSku(call, call.params.productId, call.params.skuId, call.query),
);
