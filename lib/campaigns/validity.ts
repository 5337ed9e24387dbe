import * as v from 'valibot';
import { array, duration, object } from '../schema.ts';

/** How often a valid period starts, and how long each lasts. Counts from `start_date`. */
export const validityTimeframe = object({ interval: duration, duration });

/** 0 is Sunday, 6 Saturday (contract, "Common conventions" 5). */
const dayOfWeek = v.pipe(
  v.number(),
  v.integer('must be an integer'),
  v.minValue(0, 'must be 0 (Sunday) to 6 (Saturday)'),
  v.maxValue(6, 'must be 0 (Sunday) to 6 (Saturday)'),
);

/** Far beyond what a week has; a body has room for many more. */
const maxDays = 100;
const maxWindows = 100;

export const validityDayOfWeek = array(dayOfWeek, maxDays, 'days');

const timeOfDay = v.pipe(v.string(), v.regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, 'must be a time of day, HH:mm'));

export const validityHours = object({
  daily: v.optional(
    array(
      object({
        start_time: v.optional(timeOfDay),
        expiration_time: v.optional(timeOfDay),
        days_of_week: v.optional(validityDayOfWeek),
      }),
      maxWindows,
      'windows',
    ),
  ),
});

type Window = NonNullable<v.InferOutput<typeof validityHours>['daily']>[number];

const minutesOfDay = 24 * 60;
const minutesOfWeek = 7 * minutesOfDay;
const everyDay = [0, 1, 2, 3, 4, 5, 6];

function minuteOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return hours * 60 + minutes;
}

/** From and to in minutes of the week, for each day; one that ends before it begins goes on until the next day. */
function spansOf({ start_time = '00:00', expiration_time, days_of_week = everyDay }: Window): [number, number][] {
  const start = minuteOf(start_time);
  const end = expiration_time === undefined ? minutesOfDay : minuteOf(expiration_time);
  return [...new Set(days_of_week)].map((day) => {
    const from = day * minutesOfDay + start;
    return [from, from + (end > start ? end - start : end - start + minutesOfDay)];
  });
}

/** The week begins anew after Saturday, so that a window of its night meets one of Sunday. */
function areApart(windows: readonly Window[]): boolean {
  const spans = windows.flatMap(spansOf).sort(([a], [b]) => a - b);
  const [first] = spans;
  if (first) spans.push([first[0] + minutesOfWeek, first[1] + minutesOfWeek]);
  return spans.every(([from], index) => index === 0 || from >= (spans[index - 1]?.[1] ?? 0));
}

/** As callers may send it. What is stored already is read as it is. */
export const validityHoursApart = v.pipe(
  validityHours,
  v.forward(
    v.check(({ daily = [] }) => areApart(daily), 'must not have two windows that overlap on the same day'),
    ['daily'],
  ),
);
