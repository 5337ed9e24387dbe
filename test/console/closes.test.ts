import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findStartOfDay, inTimezone } from '#kernel/core/local-time.ts';
import { startOfDay } from '../../console/core/days.ts';
import { listJournal, readSales, writeCloseDates } from '../../console/core/journal.ts';
import { sumByMonth } from '../../console/core/months.ts';

test('the journal has a debit and a credit for each amount, swaps them below 0, and has no line for 0', () => {
  const liability = { deferred: 900, redeemed: -40, caught_up: 0 };
  const lines = listJournal([
    { month: '2026-10', liability },
    { month: '2026-11', liability: null },
  ]);
  expect(lines.map(({ reason, account, debit, credit }) => [reason, account, debit, credit])).toEqual([
    ['deferred', 'revenue_from_sales', 900, 0],
    ['deferred', 'contract_liability', 0, 900],
    ['redeemed', 'revenue_from_points', 40, 0],
    ['redeemed', 'contract_liability', 0, 40],
  ]);
});

test('sales are read line by line, and one line that cannot be read refuses all', () => {
  const cents = (text: string) => Number(text) * 100;
  expect(readSales('2026-09 10\n\n 2026-10: 20.5 ', cents)).toEqual([
    { month: '2026-09', amount: 1_000 },
    { month: '2026-10', amount: 2_050 },
  ]);
  expect(readSales('', cents)).toEqual([]);
  expect(readSales('2026-09 10\nOctober 20', cents)).toBeUndefined();
});

test('the days of a close are days of its own time zone, with the last one included', () => {
  const dates = writeCloseDates({
    from: '2026-09-30T22:00:00.000Z',
    at: '2026-10-31T23:00:00.000Z',
    timezone: 'Europe/Oslo',
  });
  expect(dates).toMatch(/1.* – .*31/);
});

test('points that expire are summed by month, with empty months between, beside those that never expire', () => {
  const buckets = [
    { points: 5, expires: '2026-12-31' },
    { points: 7, expires: '2027-02-01' },
    { points: 3, expires: '2026-12-01' },
    { points: 40, expires: undefined },
  ];
  const months = [
    { label: '2026-12', value: 8 },
    { label: '2027-01', value: 0 },
    { label: '2027-02', value: 7 },
  ];
  expect(sumByMonth(buckets)).toEqual({ months, later: 0, never: 40 });
  expect(sumByMonth([])).toEqual({ months: [], later: 0, never: 0 });
  const far = [...buckets, { points: 9, expires: '2040-01-01' }];
  expect(sumByMonth(far)).toMatchObject({ later: 9, never: 40 });
});

test('a day begins as the API begins it, in any zone, also where clocks change at midnight', () => {
  const zones = ['UTC', 'Europe/Oslo', 'America/Los_Angeles', 'Asia/Kolkata', 'Pacific/Apia', 'America/Sao_Paulo'];
  const start = Date.UTC(2010, 0, 1);
  fc.assert(
    fc.property(fc.constantFrom(...zones), fc.nat({ max: 6_500 }), (timezone, days) => {
      const day = new Date(start + days * 86_400_000).toISOString().slice(0, 10);
      const expected = findStartOfDay(day, inTimezone(new Date(0), timezone)).toISOString();
      expect([timezone, day, startOfDay(day, timezone).toISOString()]).toEqual([timezone, day, expected]);
    }),
    { numRuns: 100, seed: 20_261_127 },
  );
  expect(startOfDay('2026-11-01', 'Europe/Oslo').toISOString()).toBe('2026-10-31T23:00:00.000Z');
  expect(startOfDay('2018-11-04', 'America/Sao_Paulo').toISOString()).toBe('2018-11-04T03:00:00.000Z');
});
