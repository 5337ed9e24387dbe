import { removeCollection } from '#engine/catalogue/collections/save-collection.ts';
import { operation } from '#kernel/http/operation.ts';
import { empty } from '#kernel/http/route.ts';

export const handler = operation(
  {
    route: 'DELETE /v1/product-collections/{productCollectionId}',
    scope: 'product-collections',
    summary: 'Delete a product collection',
    note: 'Refuses a collection that validation rules name.',
    answers: 'The object is deleted. The reply has no body.',
    reply: empty,
    errors: ['not_found', 'resource_protected', 'resource_in_use'],
    example: { params: { productCollectionId: 'pc_dear' } },
  },
  (call) => removeCollection(call, call.params.productCollectionId),
);
