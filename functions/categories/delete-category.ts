import { category } from '../../lib/categories/resource.ts';
import { operation } from '../../lib/http/operation.ts';
import { empty } from '../../lib/http/route.ts';
import { remove } from '../../lib/resource/plain.ts';

export const handler = operation(
  {
    route: 'DELETE /v1/categories/{categoryId}',
    scope: 'categories',
    summary: 'Delete a category',
    note: 'Campaigns, vouchers and promotion tiers that have it lose it.',
    answers: 'Deleted: the reply has no body.',
    reply: empty,
    errors: ['not_found'],
    example: { params: { categoryId: 'cat_regulars' } },
  },
  (call) => remove(call, category, call.params.categoryId),
);
