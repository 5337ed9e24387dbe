import { hash } from 'node:crypto';
import * as v from 'valibot';
import { instantOf } from '../date-time.ts';
import { shownAs } from '../documented.ts';
import { sortKey } from '../table/listing.ts';
import type { Candidate } from './candidate.ts';

/**
 * Where a page begins: behind all that were created at a time. Where the page before ended among several of one time, the cursor is a
 * time between theirs: finer digits than stored times have tell the place of each.
 */
export interface Cursor {
  readonly created_at: string;
  /** As `placeOf` has them. */
  readonly finer?: string;
}

/** What has a place among candidates. */
export interface Placed extends Pick<Candidate, 'object' | 'id' | 'created_at'> {
  readonly target?: Candidate['target'] | undefined;
}

/** Vouchers stand before anything else of their time, as one list has them alone. */
const ranks: Readonly<Record<Candidate['object'], number>> = {
  voucher: 4,
  promotion_tier: 3,
  promotion_stack: 2,
  campaign: 1,
};

const digits = 11;
/** Of base64url, in the order of the bytes by which lists sort ids. */
const letters = '-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz';
/** Letters that say more than the digits hold. */
const lettersRead = 8;

const lettersOf = (id: string) => id.replace(/^v_/, '').slice(0, lettersRead).padEnd(lettersRead, letters[0]);

/** Vouchers of a shop have random ids: their order is that of the ids, in which the list has them. */
function digitsOfVoucher(id: string): number {
  const part = [...lettersOf(id)].reduce((sum, letter) => sum * 64 + Math.max(0, letters.indexOf(letter)), 0);
  return Math.floor((part / 64 ** lettersRead) * 10 ** digits);
}

const known = new WeakMap<Placed, string>();

function madePlace({ object, id, target }: Placed): string {
  const number =
    object === 'voucher'
      ? digitsOfVoucher(target?.voucher?.id ?? id)
      : hash('sha256', id, 'buffer').readUIntBE(0, 6) % 10 ** digits;
  return `${ranks[object]}${String(number).padStart(digits, '0')}`;
}

function placeOf(one: Placed): string {
  const place = known.get(one) ?? madePlace(one);
  known.set(one, place);
  return place;
}

/** Where a list of vouchers, newest first, goes on: some of the cursor's own place may come again. */
export function listedTo({ created_at, finer }: Cursor): string {
  if (finer === undefined || Number(finer[0]) < ranks.voucher) return created_at;
  let part = Math.ceil((Number(finer.slice(1)) / 10 ** digits) * 64 ** lettersRead);
  let id = '';
  for (let read = 0; read < lettersRead; read++) {
    id = (letters[part % 64] ?? '') + id;
    part = Math.floor(part / 64);
  }
  // Behind every letter: all ids that begin so are below.
  return sortKey(created_at, part > 0 ? 'v~' : `v_${id}~`);
}

/** Newest first; of one time in a fixed order. */
export function byAge(one: Placed, other: Placed): number {
  if (one.created_at !== other.created_at) return one.created_at < other.created_at ? 1 : -1;
  const [a, b] = [placeOf(one), placeOf(other)];
  return a === b ? 0 : a < b ? 1 : -1;
}

function parsed(text: string): Cursor | undefined {
  const [, before, stored = '', finer = '', after] = /^([^.]*)(?:\.(\d{1,3})(\d*))?(Z|[+-][\d:]+)?$/.exec(text) ?? [];
  if (before === undefined) return undefined;
  const time = instantOf(`${before}${stored && `.${stored}`}${after ?? ''}`);
  if (time === undefined) return undefined;
  const created_at = new Date(time).toISOString();
  return Number(finer) === 0
    ? { created_at }
    : { created_at, finer: finer.slice(0, digits + 1).padEnd(digits + 1, '0') };
}

export const cursor = shownAs(
  v.pipe(
    v.string(),
    v.check((text) => parsed(text) !== undefined, 'must be the `more_starting_after` of a page, or a date and time'),
    v.transform((text): Cursor => parsed(text) ?? { created_at: '' }),
  ),
  { type: 'string', format: 'date-time' },
);

export function isBehind(one: Placed, { created_at, finer }: Cursor): boolean {
  if (one.created_at !== created_at) return one.created_at < created_at;
  return finer !== undefined && placeOf(one) < finer;
}

/** What leads behind one; its time alone where the next one has another. */
export function cursorBehind(last: Placed, next: Pick<Placed, 'created_at'> | undefined): string {
  return last.created_at === next?.created_at ? last.created_at.replace('Z', `${placeOf(last)}Z`) : last.created_at;
}
