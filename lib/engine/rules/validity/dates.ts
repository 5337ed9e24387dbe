import { nullable } from '#kernel/core/schema.ts';
import { validityDates, validityHoursApart } from './validity.ts';

/** Checks the dates of validity in bodies. */
export const validityEntries = { ...validityDates, validity_hours: nullable(validityHoursApart) };

export interface Dates {
  start_date?: string | null | undefined;
  expiration_date?: string | null | undefined;
  validity_timeframe?: object | null | undefined;
}

/** Dates that are checked together. A change of one requires that the others are unchanged since the read. */
export const dateNames = ['start_date', 'expiration_date', 'validity_timeframe'] as const;

export const hourNames = ['validity_day_of_week', 'validity_hours'] as const;

export const datesOutOfOrder = 'must not be before start_date';

/** Returns whether the dates are in order. ISO 8601 in UTC with milliseconds compares as text. */
export function areInOrder({ start_date, expiration_date }: Dates): boolean {
  return !start_date || !expiration_date || start_date <= expiration_date;
}

export const timeframeNeedsStart = 'needs a start_date, from which its periods count';

/** Returns whether periods lack the start date that they count from. */
export function hasNoStart({ start_date, validity_timeframe }: Dates): boolean {
  return Boolean(validity_timeframe) && !start_date;
}

/** Yields the faults of dates that belong together, each with its place. */
export function* findDateFaults(dates: Dates, prefix = ''): Generator<string> {
  if (!areInOrder(dates)) yield `${prefix}expiration_date ${datesOutOfOrder}`;
  if (hasNoStart(dates)) yield `${prefix}validity_timeframe ${timeframeNeedsStart}`;
}

export function mergeDates(stored: Dates, body: Dates): Dates {
  const after = <K extends keyof Dates>(name: K) => (body[name] === undefined ? stored[name] : body[name]);
  return {
    start_date: after('start_date'),
    expiration_date: after('expiration_date'),
    validity_timeframe: after('validity_timeframe'),
  };
}

/** Returns the faults of an update's dates together with the resource's own. */
export function findUpdateDateFaults(owner: string, stored: Dates, body: Dates): string[] {
  const after = mergeDates(stored, body);
  const faults: string[] = [];
  if (!areInOrder(after))
    faults.push(
      `expiration_date ${datesOutOfOrder}: one of the two dates is stored in the ${owner}, and the other must fit it`,
    );
  if (after.validity_timeframe && !after.start_date) faults.push(`validity_timeframe ${timeframeNeedsStart}`);
  return faults;
}
