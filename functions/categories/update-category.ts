import { category } from '#engine/rules/categories/resource.ts';
import { operation } from '#kernel/http/operation.ts';
import { updateResource } from '#kernel/kit/resource/operations.ts';

export const handler = operation(
  {
    route: 'PUT /v1/categories/{categoryId}',
    scope: 'categories',
    summary: 'Update a category',
    note: 'Requires both fields. Every object with the category shows the change immediately.',
    answers: 'The updated category.',
    body: category.createBody,
    reply: category.reply,
    errors: ['not_found', 'duplicate_found'],
    example: { params: { categoryId: 'cat_counter' }, body: { name: 'At the counter', hierarchy: 1 } },
  },
  (call) => updateResource(call, category, call.params.categoryId, call.body),
);
