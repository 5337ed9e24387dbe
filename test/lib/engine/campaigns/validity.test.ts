import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { validityHours, validityHoursApart } from '#engine/rules/validity/validity.ts';
import { describeIssues } from '#kernel/core/issues.ts';

interface Window {
  start_time?: string;
  expiration_time?: string;
  days_of_week?: number[];
}

const from = (start_time: string, expiration_time: string, ...days_of_week: number[]): Window => ({
  start_time,
  expiration_time,
  ...(days_of_week.length > 0 ? { days_of_week } : {}),
});

function faultsOf(...daily: Window[]): string[] {
  return describeIssues(v.safeParse(validityHoursApart, { daily }).issues ?? [], 'the hours');
}

const overlap = ['daily must not have two windows that overlap on the same day'];

describe('hours of validity', () => {
  test.each<[string, Window[]]>([
    ['one after the other', [from('10:00', '11:00'), from('11:00', '12:00')]],
    ['in any order', [from('15:00', '16:00'), from('10:00', '11:00')]],
    ['at the same time on other days', [from('10:00', '12:00', 1, 2), from('10:00', '12:00', 3)]],
    ['into the night, up to the hours of the morning', [from('22:00', '02:00', 5), from('02:00', '03:00', 6)]],
    ['until midnight, and from midnight', [{ start_time: '20:00' }, { expiration_time: '06:00' }]],
    ['on a day named twice', [from('10:00', '12:00', 1, 1)]],
    ['on no day', [from('10:00', '12:00'), { start_time: '10:00', days_of_week: [] }]],
    ['all day', [{}]],
  ])('may be %s', (_, daily) => {
    expect(faultsOf(...daily)).toEqual([]);
  });

  test.each<[string, Window[]]>([
    ['of the same minutes', [from('10:00', '12:00'), from('10:00', '12:00')]],
    ['of which one begins in the other', [from('10:00', '12:00'), from('11:59', '13:00')]],
    ['of which one holds the other', [from('08:00', '20:00', 0, 1), from('10:00', '11:00', 1)]],
    ['of every day and one day', [from('10:00', '12:00'), from('11:00', '13:00', 4)]],
    ['of the night before', [from('22:00', '02:00', 1), from('01:00', '03:00', 2)]],
    ['of the last night of the week', [from('22:00', '02:00', 6), from('01:00', '03:00', 0)]],
    ['of all day and a part of the day', [{}, from('01:00', '03:00', 0)]],
    ['of a third window', [from('10:00', '18:00'), from('19:00', '20:00'), from('12:00', '13:00')]],
  ])('are refused with windows %s', (_, daily) => {
    expect(faultsOf(...daily)).toEqual(overlap);
  });

  test('are read unchanged if they are already stored', () => {
    const stored = { daily: [from('10:00', '12:00'), from('10:00', '12:00')] };
    expect(v.parse(validityHours, stored)).toEqual(stored);
  });
});
