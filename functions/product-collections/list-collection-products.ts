import { listCollectionMembers, membersListed } from '#engine/catalogue/collections/list-members.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'GET /v1/product-collections/{productCollectionId}/products',
    scope: 'product-collections',
    summary: 'List the products and SKUs of a collection',
    note: 'A collection with a filter looks at 1,000 products and SKUs in a request: see docs/lists-and-filters.md#filtered-lists.',
    answers: 'The products and SKUs of the collection, each SKU with its product.',
    params: { productCollectionId: 'Id of the collection. `pc_a11pr0dUc75` is All Products, in every project.' },
    query: membersListed.query,
    reply: membersListed.reply,
    errors: ['not_found'],
    example: { params: { productCollectionId: 'pc_pantry' } },
  },
  (call) => listCollectionMembers(call, call.params.productCollectionId, call.query),
);
