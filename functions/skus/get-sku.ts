import { sku } from '#engine/catalogue/products/resource.ts';
import { operation } from '#kernel/http/operation.ts';
import { getResource } from '#kernel/kit/resource/operations.ts';

export const handler = operation(
  {
    route: 'GET /v1/skus/{skuId}',
    scope: 'SKUs',
    summary: 'Get a SKU',
    note: 'The reply names the product by its id.',
    answers: 'The SKU with its fields.',
    params: { skuId: 'Id or source id of the SKU.' },
    reply: sku.reply,
    errors: ['not_found'],
    example: { params: { skuId: 'sku_beans_250' } },
  },
  (call) => getResource(call, sku, call.params.skuId),
);
