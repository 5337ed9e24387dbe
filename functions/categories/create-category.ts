import { category } from '#engine/rules/categories/resource.ts';
import { operation } from '#kernel/http/operation.ts';
import { createResource } from '#kernel/kit/resource/operations.ts';

export const handler = operation(
  {
    route: 'POST /v1/categories',
    scope: 'categories',
    summary: 'Create a category',
    note: 'Vouchers, campaigns and promotion tiers name it by `category` or `category_id`. A second category with the same name is refused.',
    answers: 'The category.',
    body: category.createBody,
    reply: category.reply,
    errors: ['duplicate_found'],
    example: { body: { name: 'Spring', hierarchy: 5 } },
  },
  (call) => createResource(call, category, call.body),
);
