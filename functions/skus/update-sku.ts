import { sku } from '#engine/catalogue/products/resource.ts';
import { operation } from '#kernel/http/operation.ts';
import { updateResource } from '#kernel/kit/resource/operations.ts';

export const handler = operation(
  {
    route: 'PUT /v1/products/{productId}/skus/{skuId}',
    scope: 'products',
    summary: 'Update a SKU',
    note: 'Fields that are not sent stay unchanged. Metadata is merged by key.',
    answers: 'The updated SKU.',
    params: { productId: 'Id or source id of the product.', skuId: 'Id or source id of the SKU.' },
    body: sku.updateBody,
    reply: sku.reply,
    errors: ['not_found', 'duplicate_found'],
    example: { params: { productId: 'prod_beans', skuId: 'sku_beans_250' }, body: { price: 7900 } },
  },
  (call) => updateResource(call, sku, call.params.skuId, call.body, call.params.productId),
);
