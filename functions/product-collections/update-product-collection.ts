import { collection, updateBody } from '../../lib/catalogue/collections/resource.ts';
import { updateCollection } from '../../lib/catalogue/collections/save-collection.ts';
import { operation } from '../../lib/http/operation.ts';

export const handler = operation(
  {
    route: 'PUT /v1/product-collections/{productCollectionId}',
    scope: 'product-collections',
    summary: 'Update a product collection',
    note: 'Takes its name and, of an AUTO_UPDATE collection, its filter.',
    answers: 'The collection as it now is.',
    body: updateBody,
    reply: collection.reply,
    errors: ['not_found', 'resource_protected'],
    example: { params: { productCollectionId: 'pc_pantry' }, body: { name: 'Pantry' } },
  },
  (call) => updateCollection(call, call.params.productCollectionId, call.body),
);
