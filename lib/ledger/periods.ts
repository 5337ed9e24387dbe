import { addMonths, lastDayOfMonth, splitDay } from '../core/calendar.ts';

/** Calendar periods with a number of months. */
export const monthsOfPeriod = { MONTH: 1, QUARTER: 3, HALF_YEAR: 6, YEAR: 12 } as const;

export type PeriodName = keyof typeof monthsOfPeriod;

export const periodNames = ['MONTH', 'QUARTER', 'HALF_YEAR', 'YEAR'] as const satisfies readonly PeriodName[];

/** The first and last day, both included. */
export interface Period {
  readonly first: string;
  readonly last: string;
}

/** Returns the period of the day, or an earlier one. A negative number means a later one. */
export function findPeriod(day: string, name: PeriodName, before = 0): Period {
  const months = monthsOfPeriod[name];
  const { year, month } = splitDay(addMonths(`${day.slice(0, 8)}01`, -before * months));
  const end = Math.ceil(month / months) * months;
  const last = lastDayOfMonth(year, end);
  return { first: `${last.slice(0, 5)}${String(end - months + 1).padStart(2, '0')}-01`, last };
}

/** Returns the next such month, which may be the day's own. `month` 0 is January. */
export function findMonth(day: string, month: number): Period {
  const { year, month: own } = splitDay(day);
  const last = lastDayOfMonth(own <= month + 1 ? year : year + 1, month + 1);
  return { first: `${last.slice(0, 8)}01`, last };
}
