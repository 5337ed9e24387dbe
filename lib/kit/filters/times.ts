import * as v from 'valibot';
import { parseInstant } from '../../core/date-time.ts';
import { isInWindows, isOnDays, type Window } from '../../core/hours.ts';
import { inZoneOf, readMoment } from '../../core/local-time.ts';
import { duration } from '../../core/schema.ts';
import { isInTimeframe, type Timeframe } from '../../core/timeframe.ts';
import { type Compare, type Operand, toNumber } from './compare.ts';

/** Compares with operands that rules write as times, in parts with semicolons between them. */

function partsOf(operand: unknown): string[] {
  return typeof operand === 'string' ? operand.split(';').map((part) => part.trim()) : [];
}

/** Parses `start;interval;duration`: every interval from the start on, for the duration. */
export function parseTimeframe(operand: unknown): (Timeframe & { start: Date }) | undefined {
  const [begins, interval, lasts, ...others] = partsOf(operand);
  const start = parseInstant(begins);
  const isWhole = start !== undefined && others.length === 0 && v.is(duration, interval) && v.is(duration, lasts);
  return isWhole ? { start: new Date(start), interval, duration: lasts } : undefined;
}

/** Parses `from;to` into milliseconds since 1970, the end excluded. */
export function parsePeriod(operand: unknown): { from: number; to: number } | undefined {
  const [from, to, ...others] = partsOf(operand);
  const [start, end] = [parseInstant(from), parseInstant(to)];
  if (start === undefined || end === undefined || others.length > 0 || end < start) return undefined;
  return { from: start, to: end };
}

const timeOfDay = /^(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d)?$|^24:00$/;
const weekday = /^[0-6]$/;

/** Parses `HH:mm;HH:mm;dow,dow`. Day 0 is Sunday, and no days mean every day. */
export function parseDailyHours(operand: unknown): Window | undefined {
  const [start_time = '', expiration_time = '', days, ...others] = partsOf(operand);
  if (!timeOfDay.test(start_time) || !timeOfDay.test(expiration_time) || others.length > 0) return undefined;
  const named = days ? days.split(',').map((day) => day.trim()) : [];
  if (!named.every((day) => weekday.test(day))) return undefined;
  return { start_time, expiration_time, ...(named.length > 0 ? { days_of_week: named.map(Number) } : {}) };
}

/** Returns whether the operand is a day of the week. 0 is Sunday. */
export function isWeekday(operand: unknown): boolean {
  return weekday.test(String(operand));
}

function ofTime(holdsFor: (operand: Operand) => ((time: Date) => boolean) | undefined): Compare {
  return (operand) => {
    const holds = holdsFor(operand);
    return (value, now) => {
      const time = readMoment(value);
      return time !== undefined && (holds?.(inZoneOf(now, time)) ?? false);
    };
  };
}

export const inTimeframe = ofTime((operand) => {
  const frame = parseTimeframe(operand);
  return frame && ((time) => isInTimeframe(frame, frame.start, time));
});

export const inPeriod = ofTime((operand) => {
  const period = parsePeriod(operand);
  return period && ((time) => period.from <= time.getTime() && time.getTime() < period.to);
});

export const inDailyHours = ofTime((operand) => {
  const hours = parseDailyHours(operand);
  return hours && ((time) => isInWindows([hours], time));
});

export const onWeekday = ofTime((operand) => {
  const day = toNumber(operand);
  return day === undefined ? undefined : (time) => isOnDays([day], time);
});
