import { nullable, reference } from '#kernel/core/schema.ts';

/** Fields by which a body names a category. A body has at most one of them. */
export const categoryEntries = { category: nullable(reference), category_id: nullable(reference) };

export const oneOfBoth = 'must not be sent together with category_id';

/** Returns whether a body names its category once at most. */
export function hasOneCategory(body: { category?: unknown; category_id?: unknown }): boolean {
  return !(body.category && body.category_id);
}
