import * as v from 'valibot';
import { instantOf } from '../date-time.ts';
import { shownAs } from '../documented.ts';
import { sortKey } from '../table/listing.ts';
import type { Candidate } from './candidate.ts';

/** Where a page begins: behind all that were created at a time or, where the page before ended among several of one time, behind one of them. */
export interface Cursor {
  readonly created_at: string;
  /** As `placeOf` names it. */
  readonly place?: string;
}

/** What has a place among candidates. */
export interface Placed extends Pick<Candidate, 'object' | 'id' | 'created_at'> {
  readonly target?: Candidate['target'] | undefined;
}

const separator = '#';

/** A voucher stands by its id, as lists have it. */
function placeOf({ object, id, target }: Placed): string {
  return `${object}${separator}${object === 'voucher' ? (target?.voucher?.id ?? id) : id}`;
}

const ofVoucher = `voucher${separator}`;

/** Where a list of vouchers, newest first, goes on: those of one time stand before anything else of it. */
export function rangeBehind({ created_at, place }: Cursor): { behind: string } | { to: string } {
  return place?.startsWith(ofVoucher)
    ? { behind: sortKey(created_at, place.slice(ofVoucher.length)) }
    : { to: created_at };
}

/** Newest first; of one time in a fixed order. */
export function byAge(one: Placed, other: Placed): number {
  if (one.created_at !== other.created_at) return one.created_at < other.created_at ? 1 : -1;
  const [a, b] = [placeOf(one), placeOf(other)];
  return a === b ? 0 : a < b ? 1 : -1;
}

function parsed(text: string): Cursor | undefined {
  const at = text.indexOf(separator);
  const time = instantOf(at < 0 ? text : text.slice(0, at));
  if (time === undefined) return undefined;
  const created_at = new Date(time).toISOString();
  return at < 0 ? { created_at } : { created_at, place: text.slice(at + 1) };
}

export const cursor = shownAs(
  v.pipe(
    v.string(),
    v.check((text) => parsed(text) !== undefined, 'must be the `more_starting_after` of a page, or a date and time'),
    v.transform((text): Cursor => parsed(text) ?? { created_at: '' }),
  ),
  { type: 'string' },
);

export function isBehind(one: Placed, { created_at, place }: Cursor): boolean {
  if (one.created_at !== created_at) return one.created_at < created_at;
  return place !== undefined && placeOf(one) < place;
}

/** What leads behind one; its time alone where the next one has another. */
export function cursorBehind(last: Placed, next: Pick<Placed, 'created_at'> | undefined): string {
  return last.created_at === next?.created_at ? `${last.created_at}${separator}${placeOf(last)}` : last.created_at;
}
