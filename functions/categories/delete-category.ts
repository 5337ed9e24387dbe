import * as v from 'valibot';
import { deleteCategory } from '#engine/checkout/stacking-rules/delete-category.ts';
import { described } from '#kernel/core/documented.ts';
import { operation } from '#kernel/http/operation.ts';
import { sentBoolean } from '#kernel/http/page.ts';
import { empty } from '#kernel/http/route.ts';

export const handler = operation(
  {
    route: 'DELETE /v1/categories/{categoryId}',
    scope: 'categories',
    summary: 'Delete a category',
    note: 'Campaigns, vouchers and promotion tiers with this category lose it.',
    query: v.object({
      remove_from_stacking_rules: described(
        v.optional(sentBoolean),
        'Removes the category from the stacking rules. Without it, a category in stacking rules is not deleted.',
      ),
    }),
    answers: 'The object is deleted. The reply has no body.',
    reply: empty,
    errors: ['not_found', 'resource_in_use'],
    example: { params: { categoryId: 'cat_regulars' } },
  },
  (call) => deleteCategory(call, call.params.categoryId, call.query),
);
