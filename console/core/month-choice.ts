import { dayIn, shiftDay } from './days.ts';

/** Names whole months of the project's calendar, the newest first. */

const monthName = new Intl.DateTimeFormat(undefined, { month: 'long', year: 'numeric', timeZone: 'UTC' });

export interface Month {
  /** Is YYYY-MM. */
  readonly key: string;
  readonly name: string;
  readonly first: string;
  readonly last: string;
  /** Is the first day after it. */
  readonly end: string;
}

/** Writes a month, YYYY-MM, such as October 2026. */
export const writeMonth = (key: string) => monthName.format(new Date(`${key}-01T00:00:00Z`));

export function listMonths(now: number, timezone: string, many: number): Month[] {
  const today = new Date(dayIn(now, timezone));
  return Array.from({ length: many }, (_, back) => {
    const startOf = (shift: number) =>
      new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth() - back + shift)).toISOString().slice(0, 10);
    const [first, end] = [startOf(0), startOf(1)];
    const key = first.slice(0, 7);
    return { key, name: writeMonth(key), first, last: shiftDay(end, -1), end };
  });
}
