import { product } from '#engine/catalogue/products/resource.ts';
import { updateProduct } from '#engine/catalogue/products/show-product.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'PUT /v1/products/{productId}',
    scope: 'products',
    summary: 'Update a product',
    note: 'Fields that are not sent stay unchanged. Metadata is merged by key.',
    answers: 'The updated product, without its SKUs.',
    params: { productId: 'Id or source id of the product.' },
    body: product.updateBody,
    reply: product.reply,
    errors: ['not_found', 'duplicate_found'],
    example: { params: { productId: 'prod_beans' }, body: { price: 8900, metadata: { roast: 'medium' } } },
  },
  (call) => updateProduct(call, call.params.productId, call.body),
);
