import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readPlainTime } from '#kernel/core/date-time.ts';

const time = fc.date({
  min: new Date('0001-01-01T00:00:00Z'),
  max: new Date('9999-12-31T23:59:59Z'),
  noInvalidDate: true,
});

/** Returns the form without milliseconds. */
const short = (text: string) => `${text.slice(0, 19)}Z`;

test('a time in a usual form is read as `Date` reads it, in any year', () => {
  fc.assert(
    fc.property(time, (date) => {
      const text = date.toISOString();
      const isLate = date.getUTCDate() > 28;
      expect(readPlainTime(text)).toBe(isLate ? Number.NaN : date.getTime());
      expect(readPlainTime(short(text))).toBe(isLate ? Number.NaN : Date.parse(short(text)));
    }),
    { numRuns: 2_000 },
  );
});

test('a time with one wrong character is read as `Date` reads it, or not at all', () => {
  const broken = fc.tuple(time, fc.nat(23), fc.constantFrom(...'0123456789-T:.Z /a²'), fc.boolean());
  fc.assert(
    fc.property(broken, ([date, at, character, isShort]) => {
      const text = isShort ? short(date.toISOString()) : date.toISOString();
      const changed = text.slice(0, at) + character + text.slice(at + 1);
      const read = readPlainTime(changed);
      expect(Number.isNaN(read) || read === Date.parse(changed)).toBe(true);
    }),
    { numRuns: 5_000 },
  );
});

test.each([
  '',
  '2026-01-31',
  '2026-01-32T00:00:00Z',
  '2026-13-01T00:00:00Z',
  '2026-01-01T24:00:00Z',
  '2026-01-01T00:60:00Z',
])('the text "%s" is no time of a usual form', (text) => {
  expect(readPlainTime(text)).toBeNaN();
});
