import { operation } from '../../lib/http/operation.ts';
import { empty } from '../../lib/http/route.ts';
import { forceQuery, sku } from '../../lib/products/resource.ts';
import { remove } from '../../lib/resource/plain.ts';

export const handler = operation(
  {
    route: 'DELETE /v1/products/{productId}/skus/{skuId}',
    scope: 'products',
    summary: 'Delete a SKU',
    answers: 'Deleted: the reply has no body.',
    params: { productId: 'Its id or source id.', skuId: 'Its id or source id.' },
    query: forceQuery,
    reply: empty,
    errors: ['not_found'],
    example: { params: { productId: 'prod_beans', skuId: 'sku_beans_1000' } },
  },
  (call) => remove(call, sku, call.params.skuId, call.params.productId),
);
