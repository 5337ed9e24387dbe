import { nullable, reference } from '../../core/schema.ts';

/** Rejects a body that names a category twice. */
export const categoryEntries = { category: nullable(reference), category_id: nullable(reference) };

export const oneOfBoth = 'must not be sent together with category_id';

/** Validates bodies that name a category by name or id. */
export function namesOneCategory(body: { category?: unknown; category_id?: unknown }): boolean {
  return !(body.category && body.category_id);
}
