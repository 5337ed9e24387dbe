import * as v from 'valibot';
import { addMonths } from '../core/calendar.ts';
import { count, record } from '../core/schema.ts';
import type { LedgerEntryType } from './ledger-entry.ts';
import type { Period } from './periods.ts';

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
