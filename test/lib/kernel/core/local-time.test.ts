import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { evaluateFormula } from '#engine/rules/formulas/evaluate.ts';
import { dateOperators } from '#engine/rules/formulas/operators.ts';
import { parseFormula } from '#engine/rules/formulas/parse.ts';
import { addDays, addSpan, formatDay, timeOfDay } from '#kernel/core/calendar.ts';
import { isInWindows, isOnDays } from '#kernel/core/hours.ts';
import { findStartOfDay, inTimezone, isTimezone, readClock } from '#kernel/core/local-time.ts';
import { facts } from '../../../support/formula-facts.ts';

const at = (time: string, zone: string) => inTimezone(new Date(time), zone);

describe('the clock of a time zone', () => {
  test.each([
    ['2026-06-15T22:30:00.250Z', 'Europe/Oslo', '2026-06-16T00:30:00.250Z'],
    ['2026-12-15T22:30:00.000Z', 'Europe/Oslo', '2026-12-15T23:30:00.000Z'],
    ['2026-06-15T03:59:59.999Z', 'America/New_York', '2026-06-14T23:59:59.999Z'],
    ['2026-06-15T18:15:00.000Z', 'Asia/Kathmandu', '2026-06-16T00:00:00.000Z'],
    ['2026-06-15T12:00:00.000Z', 'Pacific/Kiritimati', '2026-06-16T02:00:00.000Z'],
    ['2026-06-15T12:00:00.000Z', 'GMT', '2026-06-15T12:00:00.000Z'],
  ])('%s in %s shows %s', (time, zone, clock) => {
    expect(readClock(at(time, zone)).toISOString()).toBe(clock);
    expect(formatDay(at(time, zone))).toBe(clock.slice(0, 10));
    expect(timeOfDay(at(time, zone))).toBe(Date.parse(clock) % 86_400_000);
  });

  test('of UTC is the time itself', () => {
    const time = new Date('2026-06-15T12:00:00Z');
    for (const zone of ['UTC', 'GMT', 'Etc/UTC']) expect(inTimezone(time, zone)).toBe(time);
  });
});

describe('a day', () => {
  test.each([
    ['Europe/Oslo', '2026-03-29', '2026-03-28T23:00:00.000Z', 23],
    ['Europe/Oslo', '2026-10-25', '2026-10-24T22:00:00.000Z', 25],
    ['Europe/Oslo', '2026-06-15', '2026-06-14T22:00:00.000Z', 24],
    ['America/New_York', '2026-03-08', '2026-03-08T05:00:00.000Z', 23],
    ['America/New_York', '2026-11-01', '2026-11-01T04:00:00.000Z', 25],
    // Clocks go forward at midnight, so the day begins at 01:00.
    ['America/Santiago', '2026-09-06', '2026-09-06T04:00:00.000Z', 23],
    ['Australia/Lord_Howe', '2026-10-04', '2026-10-03T13:30:00.000Z', 23.5],
    ['UTC', '2026-06-15', '2026-06-15T00:00:00.000Z', 24],
  ])('in %s, %s begins at %s and has %d hours', (zone, day, start, hours) => {
    const now = at('2026-06-15T12:00:00Z', zone);
    const begin = findStartOfDay(day, now);
    const end = findStartOfDay(addDays(day, 1), now);
    expect([begin.toISOString(), (end.getTime() - begin.getTime()) / 3_600_000]).toEqual([start, hours]);
    expect([formatDay(begin), formatDay(inTimezone(new Date(begin.getTime() - 1), zone))]).toEqual([
      day,
      addDays(day, -1),
    ]);
  });

  const zones = Intl.supportedValuesOf('timeZone');
  test('has each moment exactly once, in any zone and at any time', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...zones),
        fc.date({ min: new Date('1990-01-01'), max: new Date('2060-01-01'), noInvalidDate: true }),
        (zone, moment) => {
          const time = inTimezone(moment, zone);
          const day = formatDay(time);
          const [begin, end] = [findStartOfDay(day, time), findStartOfDay(addDays(day, 1), time)];
          return begin <= time && time < end;
        },
      ),
    );
  });
});

describe('hours and weekdays', () => {
  const evening = [{ start_time: '20:00', expiration_time: '02:00', days_of_week: [5] }];

  test.each([
    ['2026-06-19T18:00:00Z', 'Europe/Oslo', true],
    ['2026-06-19T17:59:59Z', 'Europe/Oslo', false],
    ['2026-06-19T23:59:59Z', 'Europe/Oslo', true],
    ['2026-06-20T00:00:00Z', 'Europe/Oslo', false],
    ['2026-06-20T00:00:00Z', 'America/New_York', true],
  ])('at %s in %s, friday evening: %s', (time, zone, isIn) => {
    expect(isInWindows(evening, at(time, zone))).toBe(isIn);
  });

  test('of a day with 23 hours lack what clocks do not show, and one of 25 hours has an hour twice', () => {
    const night = [{ start_time: '02:00', expiration_time: '03:00' }];
    const count = (first: string) =>
      Array.from({ length: 6 }, (_, hour) => new Date(Date.parse(first) + hour * 3_600_000)).filter((time) =>
        isInWindows(night, inTimezone(time, 'Europe/Oslo')),
      ).length;
    expect([count('2026-03-28T23:00:00Z'), count('2026-10-24T22:00:00Z'), count('2026-06-14T22:00:00Z')]).toEqual([
      0, 2, 1,
    ]);
  });

  test('on a weekday that has begun in the zone alone', () => {
    expect(isOnDays([1], at('2026-06-14T22:00:00Z', 'Europe/Oslo'))).toBe(true);
    expect(isOnDays([1], new Date('2026-06-14T22:00:00Z'))).toBe(false);
  });
});

describe('formulas', () => {
  const since = (now: string, zone: string, date: string) => dateOperators.DAYS_SINCE?.(at(now, zone), date);
  const given = (now: string, zone: string, formula: string, birthdate?: string) =>
    evaluateFormula(parseFormula(formula), { cart: facts.cart, now: at(now, zone), customer: { birthdate } });

  test.each([
    ['2026-03-30T00:00:00Z', 'Europe/Oslo', '2026-03-28', 2],
    ['2026-10-25T23:30:00Z', 'Europe/Oslo', '2026-10-25', 1],
    ['2026-06-15T03:00:00Z', 'America/New_York', '2026-06-14', 0],
    ['2026-06-15T03:00:00Z', 'UTC', '2026-06-14', 1],
  ])('count the days at %s in %s since %s: %d', (now, zone, date, days) => {
    expect(since(now, zone, date)).toBe(days);
    expect(given(now, zone, `DAYS_SINCE(DATE("${date}"))`)).toBe(days);
    expect(given(now, zone, 'DAYS_SINCE(CUSTOMER_BIRTHDATE)', date)).toBe(days);
  });

  test('begin a date without a time at midnight in the zone', () => {
    const isPast = (now: string) => given(now, 'America/New_York', 'NOW IS_AFTER DATE("2026-06-15")');
    expect([isPast('2026-06-15T04:00:00Z'), isPast('2026-06-15T04:00:01Z')]).toEqual([false, true]);
  });
});

test('months are added at the same time of day in UTC, whatever the zone', () => {
  const plus = (time: Date) => addSpan(time, { months: 1, milliseconds: 0 }).toISOString();
  const time = '2026-06-15T22:30:00.000Z';
  expect(plus(at(time, 'Europe/Oslo'))).toBe(plus(new Date(time)));
});

test.each([
  ['Europe/Oslo', true],
  ['GMT', true],
  ['Europe/Atlantis', false],
  ['+01:00', false],
  ['', false],
])('%s is a time zone: %s', (name, isZone) => {
  expect(isTimezone(name)).toBe(isZone);
});
