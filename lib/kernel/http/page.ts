import * as v from 'valibot';
import { parseInstant } from '#kernel/core/date-time.ts';
import { described, shownAs } from '#kernel/core/documented.ts';
import { ServiceError } from '#kernel/core/errors.ts';
import { object, reference } from '#kernel/core/schema.ts';
import { type Attributes, parseStored } from '#kernel/table/item.ts';
import type { Key } from '#kernel/table/keys.ts';
import type { Table } from '#kernel/table/table.ts';
import { maxReplyBytes, pageTooLong } from './reply-size.ts';

/** See docs/lists-and-filters.md#lists. */
export const defaultLimit = 10;

const outOfRange = 'must be an integer from 1 to 100';

/** Matches digits alone, without sign, blank or leading zero. */
const oneToHundred = shownAs(v.pipe(v.string(), v.regex(/^(?:[1-9]\d?|100)$/, outOfRange), v.transform(Number)), {
  type: 'integer',
  minimum: 1,
  maximum: 100,
});

/** A switch in a query. */
export const sentBoolean = shownAs(
  v.pipe(
    v.picklist(['true', 'false', '1', '0']),
    v.transform((text) => text === 'true' || text === '1'),
  ),
  { type: 'boolean' },
);

const limitWords = 'The maximum number of items on the page.';

/** Limits the items of a reply. It is an entry of a route's query schema. */
export const limitQuery = {
  limit: described(v.optional(oneToHundred, String(defaultLimit)), limitWords),
};

/** Limits the items of a reply, with another default. */
export const optionalLimit = described(v.optional(oneToHundred), limitWords);

/** Selects the items of a reply. These are entries of a route's query schema. */
export const pageQuery = {
  ...limitQuery,
  page: described(v.optional(oneToHundred, '1'), 'The number of the page, from 1. A page after the last is empty.'),
};

const noDate = 'must be an existing date, or a date and time, such as 2026-01-31';

/** Accepts a date, or a date and time of any precision, and keeps it as sent. */
export const dateOrTime = shownAs(
  v.pipe(
    v.string(),
    v.check((text) => parseInstant(text) !== undefined, noDate),
  ),
  { type: 'string', format: 'date-time' },
);

/** Returns whether a text of this form is a date alone. */
export function isDateAlone(text: string): boolean {
  return text.length === 'YYYY-MM-DD'.length;
}

/** Accepts a date, or a date and time of any precision. It is UTC unless it has an offset. */
export const looseDateTime = shownAs(
  v.pipe(
    v.string(),
    v.transform((text) => new Date(parseInstant(text) ?? Number.NaN)),
    v.check((time) => !Number.isNaN(time.getTime()), noDate),
    v.transform((time) => time.toISOString()),
  ),
  { type: 'string', format: 'date-time' },
);

/** Accepts a bound of a period. A date without a time stays a date, for the zone of a project decides its moment (`boundPeriod`). */
export const sentBound = shownAs(
  v.pipe(
    dateOrTime,
    v.transform((text) => (isDateAlone(text) ? text : new Date(parseInstant(text) ?? Number.NaN).toISOString())),
  ),
  { type: 'string', format: 'date-time' },
);

/** Selects strictly before and after a time. It is an entry of a query schema, sent as `created_at[before]`. */
export const dateRange = v.optional(object({ before: v.optional(looseDateTime), after: v.optional(looseDateTime) }));

export type DateRange = v.InferOutput<typeof dateRange>;

export function isWithin({ before, after }: NonNullable<DateRange> = {}, time: string | undefined): boolean {
  return (
    (before === undefined || (time !== undefined && time < before)) &&
    (after === undefined || (time !== undefined && time > after))
  );
}

/** Begins the page after this element. It is an entry of a route's query schema. */
export const cursorQuery = {
  starting_after_id: described(
    v.optional(reference),
    'Only items after the item with this id, in the order of the list.',
  ),
};

/** Declares in a reply whether more elements follow, and from where to continue. */
export const moreEntries = {
  has_more: v.boolean(),
  more_starting_after: v.optional(v.string()),
};

export function presentMore(id: string | undefined): { has_more: boolean; more_starting_after?: string } {
  return id === undefined ? { has_more: false } : { has_more: true, more_starting_after: id };
}

/** Declares the envelope of a list that is walked by a cursor and never counted. */
export function walkedEnvelope<S extends v.GenericSchema>(item: S) {
  return v.object({ object: v.literal('list'), data_ref: v.literal('data'), data: v.array(item), ...moreEntries });
}

export function wrapWalked<T>(data: T[], next: string | undefined) {
  return { object: 'list' as const, data_ref: 'data' as const, data, ...presentMore(next) };
}

export function unknownCursor(type: string): ServiceError {
  return new ServiceError('invalid_query_params', {
    details: `starting_after_id must be the id of a ${type} of this list`,
  });
}

export interface Page {
  limit: number;
  /** The number of the page, from 1 on. */
  page: number;
}

/** Returns the number of items before the page. */
export function computeOffset({ limit, page }: Page): number {
  return (page - 1) * limit;
}

const bytesOfReadUnit = 4_096;
const maxPageUnits = maxReplyBytes / bytesOfReadUnit;
/** Items whose length serves as an estimate for the others. */
const firstAtOnce = 10;

/**
 * Reads the items of a page, without missing items. Stops when they exceed any reply: a hundred items of 400 KB would
 * cost 10,000 read units.
 */
export async function readPageItems(table: Table, keys: readonly Key[]): Promise<Attributes[]> {
  const before = table.meter.readUnits;
  const items: (Attributes | undefined)[] = [];
  for (let atOnce = firstAtOnce; items.length < keys.length; ) {
    items.push(...(await table.getMany(keys.slice(items.length, items.length + atOnce))));
    const used = table.meter.readUnits - before;
    if (used > maxPageUnits) throw pageTooLong();
    atOnce = Math.max(1, Math.floor((maxPageUnits - used) / (used / items.length)));
  }
  return items.filter((item) => item !== undefined);
}

/** Reads the items of a page, parsed by their schema. */
export async function readParsedPage<S extends v.GenericSchema>(
  table: Table,
  schema: S,
  keys: readonly Key[],
): Promise<v.InferOutput<S>[]> {
  const stored = await readPageItems(table, keys);
  return stored.map((item) => parseStored(schema, item));
}
