import { hash } from 'node:crypto';
import * as v from 'valibot';
import { parseInstant } from '#kernel/core/date-time.ts';
import { shownAs } from '#kernel/core/documented.ts';
import { sortKey } from '#kernel/table/listing.ts';
import type { Candidate } from './candidate.ts';

/**
 * Marks the place where a page begins, after everything that was created at that time. If the page before ended among
 * several candidates of the same time, the cursor is a time between theirs. Digits beyond the precision of stored times
 * encode the place of each.
 */
export interface Cursor {
  readonly created_at: string;
  /** The places, in the form of `placeOf`. */
  readonly finer?: string;
}

/** The attributes that decide a candidate's place. */
export interface PlacedCandidate extends Pick<Candidate, 'object' | 'id' | 'created_at'> {
  readonly target?: Candidate['target'] | undefined;
}

/** Limits the digits to nanoseconds, the most that parsers of times accept. */
const digits = 6;

/** Vouchers precede other candidates of their time, because a list contains only them. The range excludes its end. */
const ranges: Readonly<Record<Candidate['object'], readonly [number, number]>> = {
  voucher: [100_000, 1_000_000],
  promotion_tier: [40_000, 100_000],
  promotion_stack: [20_000, 40_000],
  campaign: [1, 20_000],
};

/** Base64url in the order of bytes, by which lists sort ids. */
const letters = '-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz';
/** The letters of an id that the digits can encode. */
const lettersRead = 8;

const lettersOf = (id: string) => id.replace(/^v_/, '').slice(0, lettersRead).padEnd(lettersRead, letters[0]);

const lotsOfVoucher = 64 ** lettersRead;

/** Orders vouchers by their random ids, as the list does. The range is from 0 to below 1. */
function shareOfVoucher(id: string): number {
  return [...lettersOf(id)].reduce((sum, letter) => sum * 64 + Math.max(0, letters.indexOf(letter)), 0) / lotsOfVoucher;
}

const shareById = (id: string) => hash('sha256', id, 'buffer').readUInt32BE() / 2 ** 32;

const known = new WeakMap<PlacedCandidate, string>();

function madePlace({ object, id, target }: PlacedCandidate): string {
  const [first, end] = ranges[object];
  const share = object === 'voucher' ? shareOfVoucher(target?.voucher?.id ?? id) : shareById(id);
  return String(first + Math.floor(share * (end - first))).padStart(digits, '0');
}

function placeOf(one: PlacedCandidate): string {
  const place = known.get(one) ?? madePlace(one);
  known.set(one, place);
  return place;
}

/** Returns where a list of vouchers continues, newest first. Vouchers at the cursor's own place may be repeated. */
export function readListBound({ created_at, finer }: Cursor): string {
  const [first, end] = ranges.voucher;
  if (finer === undefined || Number(finer) < first) return created_at;
  let part = Math.ceil(((Number(finer) - first) / (end - first)) * lotsOfVoucher);
  let id = '';
  for (let read = 0; read < lettersRead; read++) {
    id = (letters[part % 64] ?? '') + id;
    part = Math.floor(part / 64);
  }
  // This sign sorts after every letter, so all ids with the prefix are below it.
  return sortKey(created_at, part > 0 ? 'v~' : `v_${id}~`);
}

/** Sorts the newest first, and candidates of one time in a fixed order. */
export function compareAge(one: PlacedCandidate, other: PlacedCandidate): number {
  if (one.created_at !== other.created_at) return one.created_at < other.created_at ? 1 : -1;
  const [a, b] = [placeOf(one), placeOf(other)];
  return a === b ? 0 : a < b ? 1 : -1;
}

function parsed(text: string): Cursor | undefined {
  const [, before, stored = '', finer = '', after] = /^([^.]*)(?:\.(\d{1,3})(\d*))?(Z|[+-][\d:]+)?$/.exec(text) ?? [];
  if (before === undefined) return undefined;
  const time = parseInstant(`${before}${stored && `.${stored}`}${after ?? ''}`);
  if (time === undefined) return undefined;
  const created_at = new Date(time).toISOString();
  return Number(finer) === 0 ? { created_at } : { created_at, finer: finer.slice(0, digits).padEnd(digits, '0') };
}

export const cursor = shownAs(
  v.pipe(
    v.string(),
    v.check((text) => parsed(text) !== undefined, 'must be the `more_starting_after` of a page, or a date and time'),
    v.transform((text): Cursor => parsed(text) ?? { created_at: '' }),
  ),
  { type: 'string', format: 'date-time' },
);

export function isBehind(one: PlacedCandidate, { created_at, finer }: Cursor): boolean {
  if (one.created_at !== created_at) return one.created_at < created_at;
  return finer !== undefined && placeOf(one) < finer;
}

/** Returns whether no cursor fits between two candidates. Of hundreds with one time, this happens to one pair in thousands. */
export function isTogether(one: PlacedCandidate, other: PlacedCandidate): boolean {
  return one.created_at === other.created_at && placeOf(one) === placeOf(other);
}

/** Returns the cursor after a candidate: the candidate's time, unless the next candidate has the same time. */
export function writeCursor(last: PlacedCandidate, next: Pick<PlacedCandidate, 'created_at'> | undefined): string {
  return last.created_at === next?.created_at ? last.created_at.replace('Z', `${placeOf(last)}Z`) : last.created_at;
}
