import * as v from 'valibot';
import { dateTime, integer, record } from '../schema.ts';

/** Contract, "Category". */
export const category = v.object({
  id: v.string(),
  name: v.string(),
  hierarchy: integer,
  created_at: dateTime,
  object: v.literal('category'),
});

export type Category = v.InferOutput<typeof category>;

/** As stored: all categories of a project in one item, by id, since every voucher and campaign that is shown needs one. */
export const categoriesItem = v.object({ items: record(category) });
