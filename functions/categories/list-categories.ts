import { category } from '#engine/rules/categories/resource.ts';
import { operation } from '#kernel/http/operation.ts';
import { listResources } from '#kernel/kit/resource/operations.ts';

export const handler = operation(
  {
    route: 'GET /v1/categories',
    scope: 'categories',
    summary: 'List the categories of the project',
    note: 'Returns the newest first unless `order` says otherwise. Without a `limit` it returns all of them, up to 1,000.',
    answers: 'The categories.',
    query: category.listQuery,
    reply: category.listReply,
  },
  (call) => listResources(call, category, call.query),
);
