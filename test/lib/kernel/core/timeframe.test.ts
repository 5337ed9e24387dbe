import { describe, expect, test } from 'vitest';
import { inTimezone } from '#kernel/core/local-time.ts';
import { isInTimeframe } from '#kernel/core/timeframe.ts';

const start = new Date('2026-01-31T08:00:00.000Z');

describe('in repeating periods, a moment', () => {
  test.each([
    ['P2D', 'P1D', '2026-01-31T07:59:59.999Z', false],
    ['P2D', 'P1D', '2026-01-31T08:00:00.000Z', true],
    ['P2D', 'P1D', '2026-02-01T07:59:59.999Z', true],
    ['P2D', 'P1D', '2026-02-01T08:00:00.000Z', false],
    ['P2D', 'P1D', '2026-02-02T08:00:00.000Z', true],
    ['P1W', 'PT2H', '2026-06-13T08:00:00.000Z', true],
    ['P1W', 'PT2H', '2026-06-13T10:00:00.000Z', false],
    ['P1W', 'PT1.5H', '2026-06-13T09:29:59.999Z', true],
    ['P1W', 'PT1.5H', '2026-06-13T09:30:00.000Z', false],
    // The period begins on the last day of a shorter month, and on the 31st again afterwards.
    ['P1M', 'P1D', '2026-02-28T08:00:00.000Z', true],
    ['P1M', 'P1D', '2026-03-28T12:00:00.000Z', false],
    ['P1M', 'P1D', '2026-03-31T08:00:00.000Z', true],
    ['P1M', 'P1D', '2026-04-30T08:00:00.000Z', true],
    // The period is as long as the interval or longer, so the periods have no gap.
    ['P1M', 'P1M', '2026-03-29T00:00:00.000Z', true],
    ['P1D', 'PT36H', '2030-07-01T07:59:59.999Z', true],
    ['P1Y', 'P1M', '2030-02-15T00:00:00.000Z', true],
    ['P1Y', 'P1M', '2030-03-01T00:00:00.000Z', false],
    ['PT1H', 'PT15M', '2126-01-31T08:14:59.999Z', true],
    ['PT1H', 'PT15M', '2126-01-31T08:15:00.000Z', false],
    ['PT0S', 'P1D', '2027-01-01T00:00:00.000Z', true],
    // No period begins after the last four-digit year.
    ['P1D', 'P1D', '9999-12-31T12:00:00.000Z', false],
    ['P1D', 'PT0S', '2026-02-02T08:00:00.000Z', false],
  ])('every %s for %s: %s is inside: %s', (interval, duration, time, inside) =>
    expect(isInTimeframe({ interval, duration }, start, new Date(time))).toBe(inside),
  );
});

/** Clocks in Berlin go forward on 29 March 2026 at 02:00, and back on 25 October 2026 at 03:00. */
describe('in a zone whose clocks change, periods of whole days begin at the local time of their start', () => {
  const berlin = (time: string) => inTimezone(new Date(time), 'Europe/Berlin');
  const inWinter = '2026-01-05T08:00:00.000Z'; // A Monday, 09:00 in Berlin.
  const inSummer = '2026-07-06T07:00:00.000Z'; // A Monday, 09:00 in Berlin.

  test.each([
    // Each Monday from 09:00, for two hours: in summer this is 07:00 to 09:00 in UTC.
    [inWinter, 'P1W', 'PT2H', '2026-03-23T08:00:00.000Z', true],
    [inWinter, 'P7D', 'PT2H', '2026-03-30T06:59:59.999Z', false],
    [inWinter, 'P7D', 'PT2H', '2026-03-30T07:00:00.000Z', true],
    [inWinter, 'P7D', 'PT2H', '2026-03-30T08:59:59.999Z', true],
    [inWinter, 'P7D', 'PT2H', '2026-03-30T09:00:00.000Z', false],
    [inSummer, 'P1W', 'PT2H', '2026-10-26T07:59:59.999Z', false],
    [inSummer, 'P1W', 'PT2H', '2026-10-26T08:00:00.000Z', true],
    // Every second day for a whole day: the day of the change has 23 hours, or 25.
    ['2026-03-26T23:00:00.000Z', 'P2D', 'P1D', '2026-03-28T23:00:00.000Z', true],
    ['2026-03-26T23:00:00.000Z', 'P2D', 'P1D', '2026-03-29T21:59:59.999Z', true],
    ['2026-03-26T23:00:00.000Z', 'P2D', 'P1D', '2026-03-29T22:00:00.000Z', false],
    ['2026-10-24T22:00:00.000Z', 'P2D', 'P1D', '2026-10-25T22:59:59.999Z', true],
    ['2026-10-24T22:00:00.000Z', 'P2D', 'P1D', '2026-10-25T23:00:00.000Z', false],
    // A month also counts in local days.
    ['2026-01-31T08:00:00.000Z', 'P1M', 'PT1H', '2026-03-31T07:30:00.000Z', true],
    ['2026-01-31T08:00:00.000Z', 'P1M', 'PT1H', '2026-03-31T08:00:00.000Z', false],
    // A time that clocks leave out is an hour later, and of two equal times the first counts.
    ['2026-03-27T01:30:00.000Z', 'P1D', 'PT15M', '2026-03-29T01:30:00.000Z', true],
    ['2026-10-23T00:30:00.000Z', 'P1D', 'PT15M', '2026-10-25T00:30:00.000Z', true],
    ['2026-10-23T00:30:00.000Z', 'P1D', 'PT15M', '2026-10-25T01:30:00.000Z', false],
    // Parts of a day are durations: every six hours, and for a day and six hours.
    ['2026-03-28T23:00:00.000Z', 'PT6H', 'PT1H', '2026-03-29T05:30:00.000Z', true],
    ['2026-03-28T23:00:00.000Z', 'P1W', 'P1DT6H', '2026-03-30T03:59:59.999Z', true],
    ['2026-03-28T23:00:00.000Z', 'P1W', 'P1DT6H', '2026-03-30T04:00:00.000Z', false],
  ])('from %s every %s for %s: %s is inside: %s', (from, interval, duration, time, inside) =>
    expect(isInTimeframe({ interval, duration }, new Date(from), berlin(time))).toBe(inside),
  );

  test('in UTC they are the same as ever', () => {
    const timeframe = { interval: 'P7D', duration: 'PT2H' };
    expect(isInTimeframe(timeframe, new Date(inWinter), new Date('2026-03-30T08:00:00.000Z'))).toBe(true);
    expect(isInTimeframe(timeframe, new Date(inWinter), new Date('2026-03-30T07:59:59.999Z'))).toBe(false);
  });
});
