import { addDays } from './calendar.ts';
import { isCalendarDate } from './date-time.ts';
import { findStartOfDay } from './local-time.ts';

/** Converts a date without a time to a moment: the first moment for a beginning, and the last moment for an end. */

function dayOf(text: string): string | undefined {
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text) ?? [];
  return isCalendarDate(Number(year), Number(month), Number(day)) ? text : undefined;
}

/** Zones move the first moment of earlier days and the last moment of later days out of the years of four digits. */
const [firstDay, lastDay] = ['0000-01-02', '9999-12-30'];

/** Returns the first moment of a date without a time, in the zone of another time. Returns any other text unchanged. */
export function startDay(text: string, zone: Date): string {
  const day = dayOf(text);
  if (day === undefined) return text;
  return day < firstDay ? `${day}T00:00:00.000Z` : findStartOfDay(day, zone).toISOString();
}

/** Returns the last moment of a date without a time, in the zone of another time. Returns any other text unchanged. */
export function endDay(text: string, zone: Date): string {
  const day = dayOf(text);
  if (day === undefined) return text;
  if (day > lastDay) return `${day}T23:59:59.999Z`;
  return new Date(findStartOfDay(addDays(day, 1), zone).getTime() - 1).toISOString();
}

interface Period {
  readonly start_date?: string | undefined;
  readonly end_date?: string | undefined;
}

/** Returns the moments of a period whose bounds may be dates without a time. */
export function boundPeriod({ start_date, end_date }: Period, zone: Date): Period {
  return {
    start_date: start_date && startDay(start_date, zone),
    end_date: end_date && endDay(end_date, zone),
  };
}
