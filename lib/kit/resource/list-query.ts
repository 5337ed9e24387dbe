import * as v from 'valibot';
import { described } from '../../core/documented.ts';
import { cursorQuery, looseDateTime, optionalLimit, pageQuery } from '../../http/page.ts';
import type { FilterFields } from '../filters/fields.ts';
import { filterQuery } from '../filters/filter.ts';
import type { Item, ListOrder } from './shape.ts';

const dates = {
  start_date: described(v.optional(looseDateTime), 'Only what was created at this moment or later.'),
  end_date: described(v.optional(looseDateTime), 'Only what was created at this moment or earlier.'),
};

interface Listed {
  readonly dated?: boolean;
  readonly filters?: FilterFields<Item>;
}

/** Returns the parameters of a list in these orders. */
export function buildListQuery(orders: readonly ListOrder[], { dated = false, filters }: Listed) {
  const values = orders.flatMap((order) => [order, `-${order}`]);
  const order = described(v.optional(v.picklist(values)), 'The field to sort by. A leading dash means descending.');
  const more: object = {
    ...(dated ? dates : {}),
    ...(filters ? { ...cursorQuery, filters: v.optional(filterQuery(filters)) } : {}),
  };
  return v.object({ ...pageQuery, limit: optionalLimit, order, ...more });
}
