import { operation } from '../../lib/http/operation.ts';
import { getResource } from '../../lib/kit/resource/operations.ts';
import { category } from '../../lib/rules/categories/resource.ts';

export const handler = operation(
  {
    route: 'GET /v1/categories/{categoryId}',
    scope: 'categories',
    summary: 'Get a category',
    answers: 'The category.',
    reply: category.reply,
    errors: ['not_found'],
    example: { params: { categoryId: 'cat_counter' } },
  },
  (call) => getResource(call, category, call.params.categoryId),
);
