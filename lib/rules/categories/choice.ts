import { nullable, reference } from '../../core/schema.ts';

/** One of both names the category. */
export const categoryEntries = { category: nullable(reference), category_id: nullable(reference) };

export const oneOfBoth = 'must not be sent together with category_id';

/** Also for other bodies that name a category by name or id. */
export function namesOneCategory(body: { category?: unknown; category_id?: unknown }): boolean {
  return !(body.category && body.category_id);
}
