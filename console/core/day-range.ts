import { dayIn, shiftDay, startOfDay } from './days.ts';

/** Is a period of whole days in the zone of the project, with the period before it. */
export interface DayRange {
  readonly timezone: string;
  readonly from: string;
  readonly to: string;
  /** The first day of the preceding period of equal length. */
  readonly before: string;
  /** Are the days, or the hours of the only day. */
  readonly steps: readonly string[];
}

export const periods = { day: 1, week: 7, month: 30 } as const;
export type Period = keyof typeof periods;

export function rangeOf(period: Period, now: number, timezone: string): DayRange {
  const to = dayIn(now, timezone);
  const days = periods[period];
  const from = shiftDay(to, 1 - days);
  const steps =
    days === 1
      ? Array.from({ length: 24 }, (_, hour) => `${to}T${String(hour).padStart(2, '0')}`)
      : Array.from({ length: days }, (_, day) => shiftDay(from, day));
  return { timezone, from, to, before: shiftDay(from, -days), steps };
}

/** Returns the moments between which a day or an hour lasts. */
export function momentsOf(step: string, timezone: string): { readonly after: string; readonly before: string } {
  const day = step.slice(0, 10);
  const start = startOfDay(day, timezone).getTime();
  const hourInMs = 3_600_000;
  // The list accepts moments strictly after and before.
  const between = (first: number, end: number) => ({
    after: new Date(first - 1).toISOString(),
    before: new Date(end).toISOString(),
  });
  if (step.length === 10) return between(start, startOfDay(shiftDay(day, 1), timezone).getTime());
  const first = Date.parse(`${step}:00:00.000Z`) - Date.parse(`${day}T00:00:00.000Z`) + start;
  return between(first, first + hourInMs);
}
