import { collection } from '#engine/catalogue/collections/resource.ts';
import { operation } from '#kernel/http/operation.ts';
import { listResources } from '#kernel/kit/resource/operations.ts';

export const handler = operation(
  {
    route: 'GET /v1/product-collections',
    scope: 'product-collections',
    summary: 'List the product collections of the project',
    note: 'Returns the newest first unless `order` says otherwise. It leaves out All Products, which every project has.',
    answers: 'The collections.',
    query: collection.listQuery,
    reply: collection.listReply,
  },
  (call) => listResources(call, collection, call.query),
);
