import { expect, test } from 'vitest';
import { findLastGoodDay } from '#engine/ledger/lots.ts';

type Rules = Parameters<typeof findLastGoodDay>[0];

const months = (
  period_value: number,
  rounding_type?: NonNullable<Rules>['rounding_type'],
  rounding_value?: number,
): Rules => ({
  period_type: 'MONTH',
  period_value,
  ...(rounding_type ? { rounding_type } : {}),
  ...(rounding_value ? { rounding_value } : {}),
});
const fixed = (fixed_month: number, fixed_day: number): Rules => ({
  period_type: 'FIXED_DAY_OF_YEAR',
  fixed_month,
  fixed_day,
});

test.each<[string, Rules, string, string | null]>([
  ['without rules', undefined, '2026-06-15', null],

  ['a month', months(1), '2026-06-15', '2026-07-15'],
  ['a month from the 31st', months(1), '2026-01-31', '2026-02-28'],
  ['a month from the 31st in a leap year', months(1), '2024-01-31', '2024-02-29'],
  ['a year from 29 February', months(12), '2024-02-29', '2025-02-28'],
  ['over the year end', months(2), '2026-12-31', '2027-02-28'],
  ['100 years', months(1_200), '2026-06-15', '2126-06-15'],

  ['to the end of the month', months(1, 'END_OF_MONTH'), '2026-06-15', '2026-07-31'],
  ['to the end of February', months(1, 'END_OF_MONTH'), '2026-01-31', '2026-02-28'],
  ['to the end of February in a leap year', months(1, 'END_OF_MONTH'), '2028-01-01', '2028-02-29'],
  ['to the end of December', months(1, 'END_OF_MONTH'), '2026-11-30', '2026-12-31'],

  ['to the end of the first quarter', months(1, 'END_OF_QUARTER'), '2026-01-31', '2026-03-31'],
  ['to the end of the second', months(1, 'END_OF_QUARTER'), '2026-03-01', '2026-06-30'],
  ['to the end of the third', months(1, 'END_OF_QUARTER'), '2026-08-31', '2026-09-30'],
  ['to the end of the fourth', months(1, 'END_OF_QUARTER'), '2026-09-30', '2026-12-31'],

  ['to the end of the first half', months(1, 'END_OF_HALF_YEAR'), '2026-05-31', '2026-06-30'],
  ['to the end of the second', months(1, 'END_OF_HALF_YEAR'), '2026-06-01', '2026-12-31'],
  ['to the end of the first half of the next year', months(1, 'END_OF_HALF_YEAR'), '2026-12-31', '2027-06-30'],

  ['to the end of the year', months(12, 'END_OF_YEAR'), '2026-01-01', '2027-12-31'],
  ['to the end of the year, on its last day', months(12, 'END_OF_YEAR'), '2026-12-31', '2027-12-31'],
  ['to the end of the year, over it', months(1, 'END_OF_YEAR'), '2026-12-01', '2027-12-31'],

  ['to the end of a month to come', months(1, 'PARTICULAR_MONTH', 9), '2026-06-15', '2026-09-30'],
  ['to the end of the very month', months(1, 'PARTICULAR_MONTH', 7), '2026-06-15', '2026-07-31'],
  ['to the end of a month that is over', months(1, 'PARTICULAR_MONTH', 2), '2026-06-15', '2027-02-28'],
  ['to the end of February of a leap year', months(1, 'PARTICULAR_MONTH', 2), '2027-06-15', '2028-02-29'],

  ['to the fixed day', fixed(12, 31), '2026-06-15', '2026-12-31'],
  ['to the fixed day, the day before', fixed(12, 31), '2026-12-30', '2026-12-31'],
  ['through the fixed day, on the day', fixed(11, 23), '2026-11-23', '2026-11-23'],
  ['to the next fixed day, the day after', fixed(6, 15), '2026-06-16', '2027-06-15'],
  ['to 29 February where there is one', fixed(2, 29), '2028-01-31', '2028-02-29'],
  ['to 28 February where there is no 29th', fixed(2, 29), '2026-01-31', '2026-02-28'],
  ['through 28 February where there is no 29th', fixed(2, 29), '2026-02-28', '2026-02-28'],
  ['past 28 February where there is no 29th', fixed(2, 29), '2026-03-01', '2027-02-28'],
  ['from 28 February to the 29th', fixed(2, 29), '2028-02-28', '2028-02-29'],
  ['through 29 February', fixed(2, 29), '2028-02-29', '2028-02-29'],
  ['past 29 February to the 28th of the next year', fixed(2, 29), '2028-03-01', '2029-02-28'],
  ['to the last day of a month that has no 31st', fixed(4, 31), '2026-04-29', '2026-04-30'],
])('%s', (_, rules, credited, lastDay) => {
  expect(findLastGoodDay(rules, credited)).toBe(lastDay);
});
