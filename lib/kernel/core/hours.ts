import { timeOfDay } from './calendar.ts';
import { readClock } from './local-time.ts';

/** Hours on some days of the week. Day 0 is Sunday. */
export interface Window {
  start_time?: string | undefined;
  expiration_time?: string | undefined;
  days_of_week?: readonly number[] | undefined;
}

const dayInMs = 86_400_000;
const weekInMs = 7 * dayInMs;
const everyDay = [0, 1, 2, 3, 4, 5, 6];

/** Returns the milliseconds of HH:mm or HH:mm:ss, up to 24:00. */
function momentOf(time: string): number {
  const [hours = 0, minutes = 0, seconds = 0] = time.split(':').map(Number);
  return ((hours * 60 + minutes) * 60 + seconds) * 1_000;
}

/**
 * Returns the window on each of its days in milliseconds of the week, the end excluded. A window that ends before it begins lasts
 * until the next day.
 */
function listSpans({ start_time = '00:00', expiration_time = '24:00', days_of_week = everyDay }: Window) {
  const start = momentOf(start_time);
  const end = momentOf(expiration_time);
  return [...new Set(days_of_week)].map((day): [from: number, to: number] => {
    const from = day * dayInMs + start;
    return [from, from + (end > start ? end - start : end - start + dayInMs)];
  });
}

/** Returns whether no windows overlap. A window on Saturday night can overlap one on Sunday. */
export function areApart(windows: readonly Window[]): boolean {
  const spans = windows.flatMap(listSpans).sort(([a], [b]) => a - b);
  const [first] = spans;
  if (first) spans.push([first[0] + weekInMs, first[1] + weekInMs]);
  return spans.every(([from], index) => index === 0 || from >= (spans[index - 1]?.[1] ?? 0));
}

/** Returns whether the time is, in its zone, on one of the days. Without days, any time is. */
export function isOnDays(days: readonly number[] | null | undefined, time: Date): boolean {
  return !days?.length || days.includes(readClock(time).getUTCDay());
}

/** Returns whether clocks of the time's zone show a time in one of the windows. Without windows, any time is. */
export function isInWindows(windows: readonly Window[] | null | undefined, time: Date): boolean {
  if (!windows?.length) return true;
  const moment = readClock(time).getUTCDay() * dayInMs + timeOfDay(time);
  return windows
    .flatMap(listSpans)
    .some(([from, to]) => [moment, moment + weekInMs].some((at) => from <= at && at < to));
}
