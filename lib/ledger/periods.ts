import { addMonths, lastDayOfMonth, partsOf } from '../core/calendar.ts';

/** Calendar periods, by the months that they have. */
export const monthsOfPeriod = { MONTH: 1, QUARTER: 3, HALF_YEAR: 6, YEAR: 12 } as const;

export type PeriodName = keyof typeof monthsOfPeriod;

export const periodNames = ['MONTH', 'QUARTER', 'HALF_YEAR', 'YEAR'] as const satisfies readonly PeriodName[];

/** First and last day, both of it. */
export interface Period {
  readonly first: string;
  readonly last: string;
}

/** The period that has the day, or one so many before it; below 0, behind it. */
export function periodOf(day: string, name: PeriodName, before = 0): Period {
  const months = monthsOfPeriod[name];
  const { year, month } = partsOf(addMonths(`${day.slice(0, 8)}01`, -before * months));
  const end = Math.ceil(month / months) * months;
  const last = lastDayOfMonth(year, end);
  return { first: `${last.slice(0, 5)}${String(end - months + 1).padStart(2, '0')}-01`, last };
}

/** The next such month, that of the day included. `month`: 0 is January. */
export function monthNamed(day: string, month: number): Period {
  const { year, month: own } = partsOf(day);
  const last = lastDayOfMonth(own <= month + 1 ? year : year + 1, month + 1);
  return { first: `${last.slice(0, 8)}01`, last };
}
