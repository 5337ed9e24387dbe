import * as v from 'valibot';
import { addDuration, addMonths, lastDayOfMonth, splitDay } from '#kernel/core/calendar.ts';
import { named } from '#kernel/core/documented.ts';
import { count, duration, integer, object, record } from '#kernel/core/schema.ts';
import type { LedgerEntryType } from './ledger-entry.ts';

/** Calendar periods with a number of months. */
const monthsOfPeriod = { MONTH: 1, QUARTER: 3, HALF_YEAR: 6, YEAR: 12 } as const;

export type PeriodName = keyof typeof monthsOfPeriod;

const periodNames = ['MONTH', 'QUARTER', 'HALF_YEAR', 'YEAR'] as const satisfies readonly PeriodName[];

/** The first and last day, both included. */
export interface Period {
  readonly first: string;
  readonly last: string;
}

/** Returns the period of the day, or an earlier period. A negative number means a later period. */
export function findPeriod(day: string, name: PeriodName, before = 0): Period {
  const months = monthsOfPeriod[name];
  const { year, month } = splitDay(addMonths(`${day.slice(0, 8)}01`, -before * months));
  const end = Math.ceil(month / months) * months;
  const last = lastDayOfMonth(year, end);
  return { first: `${last.slice(0, 5)}${String(end - months + 1).padStart(2, '0')}-01`, last };
}

/** Returns the next such month, which may be the day's own. `month` 0 is January. */
function findMonth(day: string, month: number): Period {
  const { year, month: own } = splitDay(day);
  const last = lastDayOfMonth(own <= month + 1 ? year : year + 1, month + 1);
  return { first: `${last.slice(0, 8)}01`, last };
}

/** Rules by which programmes grant tiers, and keep them. */

const outOfRange = 'must be 0 (January) to 11 (December)';

const rounding = v.pipe(
  object({
    type: v.picklist([...periodNames, 'CUSTOM']),
    strategy: v.optional(v.picklist(['START', 'END'])),
    unit: v.optional(v.picklist(['MONTH'])),
    value: v.optional(v.pipe(integer, v.minValue(0, outOfRange), v.maxValue(11, outOfRange))),
  }),
  v.check(
    ({ type, value }) => type !== 'CUSTOM' || value !== undefined,
    'must have a value of 0 (January) to 11 (December), because type is CUSTOM',
  ),
);

const ends = ['END_OF_PERIOD', 'END_OF_NEXT_PERIOD'] as const;

/** Decides how long a member keeps a tier: by the balance, or by points earned in a calendar period. */
export const loyaltyTiersExpiration = named(
  'LoyaltyTiersExpiration',
  v.pipe(
    object({
      qualification_type: v.picklist(['BALANCE', 'POINTS_IN_PERIOD']),
      qualification_period: v.optional(v.picklist(periodNames)),
      start_date: v.optional(object({ type: v.picklist(['IMMEDIATE', 'NEXT_PERIOD']) })),
      expiration_date: v.optional(
        object({
          type: v.picklist(['CUSTOM', 'BALANCE_DROP', ...ends]),
          extend: v.optional(duration),
          rounding: v.optional(rounding),
        }),
      ),
    }),
    v.check(
      ({ qualification_type: type, qualification_period: period }) => type === 'BALANCE' || period !== undefined,
      'must have a qualification_period, because qualification_type is POINTS_IN_PERIOD',
    ),
    v.check(
      ({ qualification_type: type, expiration_date: end }) =>
        type === 'BALANCE' || ends.some((one) => one === end?.type),
      'must have an expiration_date of END_OF_PERIOD or END_OF_NEXT_PERIOD, because qualification_type is POINTS_IN_PERIOD',
    ),
    v.check(
      ({ qualification_type: type, expiration_date: end }) =>
        type !== 'BALANCE' || !ends.some((one) => one === end?.type),
      'must have an expiration_date of CUSTOM or BALANCE_DROP, because qualification_type is BALANCE',
    ),
    v.check(
      ({ qualification_type: type, expiration_date: end }) => type === 'BALANCE' || !end?.rounding,
      'must have an expiration_date without rounding, because the periods of POINTS_IN_PERIOD are rounded',
    ),
    v.check(
      ({ qualification_type: type, start_date: start }) => type !== 'BALANCE' || start?.type !== 'NEXT_PERIOD',
      'must have a start_date of IMMEDIATE, because qualification_type is BALANCE',
    ),
  ),
);

export type TierExpiration = v.InferOutput<typeof loyaltyTiersExpiration>;

/** The range of a tier. Without `from` it begins with 0, and without `to` it is open. */
export interface Tier {
  id: string;
  name: string;
  points: { from?: number | undefined; to?: number | undefined };
}

/** Returns the points at which the range of a tier begins. */
export function readFirstPoint({ points: { from = 0 } }: Pick<Tier, 'points'>): number {
  return from;
}

export interface TierRules {
  tiers: readonly Tier[];
  expiration: TierExpiration | undefined;
}

type End = NonNullable<TierExpiration['expiration_date']>;

function rounded(day: string, to: End['rounding']): string {
  if (!to) return day;
  const { type, value = 0, strategy = 'END' } = to;
  const { first, last } = type === 'CUSTOM' ? findMonth(day, value) : findPeriod(day, type);
  return strategy === 'START' ? first : last;
}

/** Returns the last day of a tier, with the programme's extension. */
function extended(day: string, { extend, rounding }: End): string {
  const last = rounded(extend === undefined ? day : addDuration(day, extend), rounding);
  // Rounding to the start of a long period would end the tier before it begins.
  return last < day ? day : last;
}

/** Returns the last day of a tier that was reached on `day`, whatever the balance. `null` means that the balance decides. */
export function findKeptThrough(expiration: TierExpiration | undefined, day: string): string | null {
  const end = expiration?.expiration_date;
  if (!expiration || !end) return null;
  const { qualification_period: period, start_date: start } = expiration;
  if (period && expiration.qualification_type === 'POINTS_IN_PERIOD') {
    const isNext = end.type === 'END_OF_NEXT_PERIOD' && start?.type !== 'NEXT_PERIOD';
    return extended(findPeriod(day, period, isNext ? -1 : 0).last, end);
  }
  return end.type === 'BALANCE_DROP' || end.extend === undefined ? null : extended(day, end);
}

/** The points that a card has earned by month (YYYY-MM), even if they were spent later. */
export const earnedByMonth = v.optional(record(count));

export type EarnedByMonth = v.InferOutput<typeof earnedByMonth>;

/** Entries that earn points. Points of transfers and refunds were earned before, and first points were not earned. */
const earning: readonly LedgerEntryType[] = ['POINTS_ACCRUAL', 'PENDING_POINTS_ACTIVATION', 'POINTS_ADDITION'];

/** Keeps a year and the year before. No tier needs more. */
const monthsKept = 24;

const monthOf = (day: string) => day.slice(0, 7);

/** Adds points of the day, if their kind counts. */
export function addEarned(
  earned: EarnedByMonth,
  { type, points }: { type: LedgerEntryType; points: number },
  day: string,
): EarnedByMonth {
  if (points <= 0 || !earning.includes(type)) return earned;
  const month = monthOf(day);
  const oldest = monthOf(addMonths(`${month}-01`, -monthsKept));
  const kept = Object.entries(earned ?? {}).filter(([known]) => known >= oldest);
  return { ...Object.fromEntries(kept), [month]: (earned?.[month] ?? 0) + points };
}

export function sumEarned(earned: EarnedByMonth, { first, last }: Period): number {
  const months = Object.entries(earned ?? {}).filter(([month]) => monthOf(first) <= month && month <= monthOf(last));
  return months.reduce((sum, [, points]) => sum + points, 0);
}
