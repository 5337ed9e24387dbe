import * as v from 'valibot';

/** Contract, "Limits"; ruling C.2. */
export const maxLimit = 100;
export const maxPage = 100;
export const defaultLimit = 10;

const outOfRange = 'must be an integer from 1 to 100';

/** As a query has it: digits alone, no sign, no blanks, no leading zeros. */
const oneToHundred = v.pipe(v.string(), v.regex(/^(?:[1-9]\d?|100)$/, outOfRange), v.transform(Number));

/** How many items a reply shows: entry of a route's query schema. */
export const limitQuery = { limit: v.optional(oneToHundred, String(defaultLimit)) };

/** Which items of a list a reply shows: entries of a route's query schema. */
export const pageQuery = {
  ...limitQuery,
  page: v.optional(oneToHundred, '1'),
};

export interface Page {
  limit: number;
  /** Counted from 1. */
  page: number;
}

/** How many items come before the page. */
export function offsetOf({ limit, page }: Page): number {
  return (page - 1) * limit;
}
