import { category } from '../../lib/categories/resource.ts';
import { operation } from '../../lib/http/operation.ts';
import { list } from '../../lib/resource/plain.ts';

export const handler = operation(
  {
    route: 'GET /v1/categories',
    scope: 'categories',
    summary: 'List the categories of the project',
    note: 'Newest first unless `order` says otherwise; without `limit`, all of them up to 1,000.',
    answers: 'The categories.',
    query: category.listQuery,
    reply: category.listReply,
  },
  (call) => list(call, category, call.query),
);
