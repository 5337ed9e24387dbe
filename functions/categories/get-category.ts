import { category } from '#engine/rules/categories/resource.ts';
import { operation } from '#kernel/http/operation.ts';
import { getResource } from '#kernel/kit/resource/operations.ts';

export const handler = operation(
  {
    route: 'GET /v1/categories/{categoryId}',
    scope: 'categories',
    summary: 'Get a category',
    note: 'The reply does not list the objects with this category.',
    answers: 'The category.',
    reply: category.reply,
    errors: ['not_found'],
    example: { params: { categoryId: 'cat_counter' } },
  },
  (call) => getResource(call, category, call.params.categoryId),
);
