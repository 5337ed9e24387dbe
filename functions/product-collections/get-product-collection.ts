import { collection } from '#engine/catalogue/collections/resource.ts';
import { getCollection } from '#engine/catalogue/collections/save-collection.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'GET /v1/product-collections/{productCollectionId}',
    scope: 'product-collections',
    summary: 'Get a product collection',
    note: 'The reply has the filter of an AUTO_UPDATE collection. It does not list the products that the filter finds.',
    answers: 'The collection.',
    params: { productCollectionId: 'Id of the collection. `pc_a11pr0dUc75` is All Products, in every project.' },
    reply: collection.reply,
    errors: ['not_found'],
    example: { params: { productCollectionId: 'pc_pantry' } },
  },
  (call) => getCollection(call, call.params.productCollectionId),
);
