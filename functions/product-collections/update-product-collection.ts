import { collection, updateBody } from '#engine/catalogue/collections/resource.ts';
import { updateCollection } from '#engine/catalogue/collections/save-collection.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'PUT /v1/product-collections/{productCollectionId}',
    scope: 'product-collections',
    summary: 'Update a product collection',
    note: 'Changes the name and, for an AUTO_UPDATE collection, the filter.',
    answers: 'The updated collection.',
    body: updateBody,
    reply: collection.reply,
    errors: ['not_found', 'resource_protected'],
    example: { params: { productCollectionId: 'pc_pantry' }, body: { name: 'Pantry' } },
  },
  (call) => updateCollection(call, call.params.productCollectionId, call.body),
);
