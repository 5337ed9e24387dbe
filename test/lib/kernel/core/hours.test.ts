import { describe, expect, test } from 'vitest';
import { isInWindows, isOnDays, type Window } from '#kernel/core/hours.ts';

/** 2026-06-14 is a Sunday. */
const at = (day: number, time: string) => new Date(`2026-06-${14 + day}T${time}Z`);

describe('hours', () => {
  test.each<[string, Window[], number, string, boolean]>([
    ['from their first moment', [{ start_time: '10:00', expiration_time: '12:00' }], 1, '10:00:00.000', true],
    ['up to their end, without it', [{ start_time: '10:00', expiration_time: '12:00' }], 1, '11:59:59.999', true],
    ['not at their end', [{ start_time: '10:00', expiration_time: '12:00' }], 1, '12:00:00.000', false],
    ['not before', [{ start_time: '10:00', expiration_time: '12:00' }], 1, '09:59:59.999', false],
    ['by seconds', [{ start_time: '10:00:30', expiration_time: '12:00:30' }], 1, '12:00:29.999', true],
    ['until midnight without an end', [{ start_time: '20:00' }], 1, '23:59:59.999', true],
    ['until 24:00', [{ start_time: '20:00', expiration_time: '24:00' }], 1, '23:59:59.999', true],
    ['not after 24:00', [{ start_time: '20:00', expiration_time: '24:00' }], 2, '00:00:00.000', false],
    ['from midnight without a start', [{ expiration_time: '06:00' }], 1, '00:00:00.000', true],
    ['on their days', [{ start_time: '10:00', expiration_time: '12:00', days_of_week: [1] }], 1, '11:00:00', true],
    ['on no others', [{ start_time: '10:00', expiration_time: '12:00', days_of_week: [1] }], 2, '11:00:00', false],
    [
      'of the night after their day',
      [{ start_time: '22:00', expiration_time: '02:00', days_of_week: [1] }],
      2,
      '01:59:59',
      true,
    ],
    [
      'not of the night before it',
      [{ start_time: '22:00', expiration_time: '02:00', days_of_week: [1] }],
      1,
      '01:00:00',
      false,
    ],
    [
      'of the night from Saturday to Sunday',
      [{ start_time: '22:00', expiration_time: '02:00', days_of_week: [6] }],
      0,
      '01:00:00',
      true,
    ],
    [
      'of any of several',
      [
        { start_time: '08:00', expiration_time: '09:00' },
        { start_time: '15:00', expiration_time: '16:00' },
      ],
      3,
      '15:30:00',
      true,
    ],
    ['at any time if none are named', [], 3, '15:30:00', true],
  ])('are open %s', (_, windows, day, time, open) => expect(isInWindows(windows, at(day, time))).toBe(open));

  test('a missing list of windows limits nothing', () => expect(isInWindows(undefined, at(1, '10:00:00'))).toBe(true));
});

test.each([
  [[1], 1, true],
  [[1], 2, false],
  [[0, 6], 0, true],
  [[], 3, true],
  [undefined, 3, true],
  [null, 3, true],
])('in the days %j, day %i: %s', (days, day, is) => expect(isOnDays(days, at(day, '23:59:59.999'))).toBe(is));
