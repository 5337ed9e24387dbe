import type * as v from 'valibot';
import { addMonths, dayWithin, lastDayOfMonth, partsOf } from '../calendar.ts';
import type { pointsExpirationRules } from '../campaigns/campaign.ts';

type Rules = v.InferOutput<typeof pointsExpirationRules>;

/** Months to a period, for the roundings that go to the end of one. */
const monthsToPeriod = { END_OF_MONTH: 1, END_OF_QUARTER: 3, END_OF_HALF_YEAR: 6, END_OF_YEAR: 12 } as const;

function endOfPeriod(day: string, months: number): string {
  const { year, month } = partsOf(day);
  return lastDayOfMonth(year, Math.ceil(month / months) * months);
}

/** The end of the next such month, that of the day included. `month`: 1 is January. */
function endOfMonthNamed(day: string, month: number): string {
  const { year, month: own } = partsOf(day);
  return lastDayOfMonth(own <= month ? year : year + 1, month);
}

/** The next such day of a year, after `day`; 29 February is the 28th in years without. */
function nextDayOfYear(day: string, month: number, date: number): string {
  const { year } = partsOf(day);
  const inYear = (wanted: number) => dayWithin(lastDayOfMonth(wanted, month), date);
  const thisYear = inYear(year);
  return thisYear > day ? thisYear : inYear(year + 1);
}

/** The last day (UTC) on which points credited on `day` are good; `null`: they do not expire. */
export function lastGoodDay(rules: Rules | undefined, day: string): string | null {
  if (rules === undefined) return null;
  if (rules.period_type === 'FIXED_DAY_OF_YEAR') {
    return nextDayOfYear(day, rules.fixed_month ?? 12, rules.fixed_day ?? 31);
  }
  const end = addMonths(day, rules.period_value ?? 0);
  if (rules.rounding_type === undefined) return end;
  return rules.rounding_type === 'PARTICULAR_MONTH'
    ? endOfMonthNamed(end, rules.rounding_value ?? 12)
    : endOfPeriod(end, monthsToPeriod[rules.rounding_type]);
}
