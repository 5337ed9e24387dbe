import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addDays, formatDay } from '#kernel/core/calendar.ts';
import { findStartOfDay, inTimezone } from '#kernel/core/local-time.ts';
import { compileSchemas } from '#kernel/core/metadata/check.ts';
import type { FilterFields } from '#kernel/kit/filters/fields.ts';
import { compileFilter } from '#kernel/kit/filters/filter.ts';
import type { OperatorName } from '#kernel/kit/filters/operators.ts';

interface Person {
  readonly born: string;
  readonly metadata: Readonly<Record<string, string>>;
}

const fields: FilterFields<Person> = { born: 'date', 'metadata.*': 'any' };
const definition = { type: 'date' } as const;
const created_at = '2026-01-01T00:00:00.000Z';
const schemas = compileSchemas({ customer: { properties: { declared: definition }, created_at } });

/** Returns the fields whose stored date meets the condition. */
function meeting(day: string, now: Date, operator: OperatorName, operand: number | string | true): string[] {
  const subject = { born: day, metadata: { plain: day, declared: day } };
  return ['born', 'metadata.plain', 'metadata.declared'].filter((path) =>
    compileFilter(fields, { [path]: { conditions: { [operator]: operand } } }, schemas('customer'))(subject, now),
  );
}

const everywhere = ['born', 'metadata.plain', 'metadata.declared'];
const zones = ['America/New_York', 'Pacific/Honolulu', 'UTC', 'Asia/Tokyo', 'Pacific/Kiritimati'];

describe('a stored date without a time', () => {
  test('is as many days away as the calendar of any zone says, at any hour', () => {
    const time = fc.date({ min: new Date('2020-01-01'), max: new Date('2030-01-01'), noInvalidDate: true });
    fc.assert(
      fc.property(time, fc.constantFrom(...zones), fc.integer({ min: 0, max: 60 }), (moment, zone, days) => {
        const now = inTimezone(moment, zone);
        const [before, after] = [addDays(formatDay(now), -days), addDays(formatDay(now), days)];
        expect(meeting(before, now, '$is_days_ago', days)).toEqual(everywhere);
        expect(meeting(before, now, '$less_than_ago', days + 1)).toEqual(everywhere);
        expect(meeting(before, now, '$more_than_ago', days)).toEqual([]);
        expect(meeting(before, now, '$more_than_ago', days - 1)).toEqual(everywhere);
        expect(meeting(after, now, '$is_days_in_future', days)).toEqual(everywhere);
        expect(meeting(after, now, '$less_than_future', days + 1)).toEqual(everywhere);
        expect(meeting(after, now, '$more_than_future', days - 1)).toEqual(everywhere);
      }),
    );
  });

  test('has its anniversary on each day of its month and number, at any hour of any zone', () => {
    const time = fc.date({ min: new Date('2020-01-01'), max: new Date('2030-01-01'), noInvalidDate: true });
    const age = fc.integer({ min: 0, max: 100 });
    const zone = fc.constantFrom(...zones);
    fc.assert(
      fc.property(time, zone, age, fc.integer({ min: 0, max: 60 }), (moment, zone, years, days) => {
        const now = inTimezone(moment, zone);
        const feast = addDays(formatDay(now), days);
        const dayBefore = addDays(feast, -1);
        fc.pre(![feast, dayBefore].some((day) => day.endsWith('02-29')));
        const past = (day: string) => `${Number(day.slice(0, 4)) - years}${day.slice(4)}`;
        expect(meeting(past(feast), now, '$anniversary_in_days', days)).toEqual(everywhere);
        expect(meeting(past(dayBefore), now, '$anniversary_in_days', days)).toEqual([]);
      }),
    );
  });

  test.each([
    ['2027-02-28', true],
    ['2027-03-01', false],
    ['2028-02-28', false],
    ['2028-02-29', true],
    ['2100-02-28', true],
    ['1999-02-28', false],
  ])('of 29 February has its anniversary on %s: %s', (day, isFound) => {
    for (const zone of zones) {
      const now = inTimezone(findStartOfDay(day, inTimezone(new Date(0), zone)), zone);
      expect(meeting('2000-02-29', now, '$anniversary_in_days', 0)).toEqual(isFound ? everywhere : []);
    }
  });

  test.each(zones)('is in its own month and on its own weekday in %s', (zone) => {
    const now = inTimezone(new Date('2026-05-15T12:00:00Z'), zone);
    expect(meeting('2026-06-01', now, '$next_month', true)).toEqual(everywhere);
    expect(meeting('2026-05-31', now, '$next_month', true)).toEqual([]);
    expect(meeting('2026-06-30', now, '$next_month', true)).toEqual(everywhere);
    expect(meeting('2026-06-01', now, '$dow', 1)).toEqual(everywhere);
    expect(meeting('2026-06-01', now, '$timeframe_daily_hours', '00:00;00:01;1')).toEqual(everywhere);
  });

  test.each(zones)('compares with other dates and moments as midnight in UTC in %s', (zone) => {
    const now = inTimezone(new Date('2026-05-15T12:00:00Z'), zone);
    expect(meeting('2026-06-01', now, '$after', '2026-05-31T23:59:59Z')).toEqual(everywhere);
    expect(meeting('2026-06-01', now, '$before', '2026-06-01T00:00:01Z')).toEqual(everywhere);
    expect(meeting('2026-06-01', now, '$before', '2026-06-01')).toEqual([]);
    expect(meeting('2026-06-01', now, '$is', '2026-06-01')).toEqual(everywhere);
    expect(meeting('2026-06-01', now, '$timeframe_absolute', '2026-06-01;2026-06-02')).toEqual(everywhere);
    expect(meeting('2026-06-01', now, '$timeframe', '2026-06-01;P7D;P1D')).toEqual(everywhere);
  });

  test('leaves a stored moment on the day of its zone', () => {
    const now = inTimezone(new Date('2026-06-15T12:00:00Z'), 'America/New_York');
    const metadata = { plain: '2026-06-15T03:59:59Z', declared: '2026-06-15T04:00:00Z' };
    const isAgo = (path: string, days: number) =>
      compileFilter(fields, { [path]: { conditions: { $is_days_ago: days } } })({ born: '', metadata }, now);
    expect([isAgo('metadata.plain', 1), isAgo('metadata.declared', 0)]).toEqual([true, true]);
  });
});
