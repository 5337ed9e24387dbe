import { collection } from '../../lib/catalogue/collections/resource.ts';
import { operation } from '../../lib/http/operation.ts';
import { list } from '../../lib/kit/resource/plain.ts';

export const handler = operation(
  {
    route: 'GET /v1/product-collections',
    scope: 'product-collections',
    summary: 'List the product collections of the project',
    note: 'Newest first unless `order` says otherwise. All Products, which every project has, is not among them.',
    answers: 'The collections.',
    query: collection.listQuery,
    reply: collection.listReply,
  },
  (call) => list(call, collection, call.query),
);
