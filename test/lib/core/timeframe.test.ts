import { describe, expect, test } from 'vitest';
import { isInTimeframe } from '../../../lib/core/timeframe.ts';

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
    // The period is as long as the interval or longer, so there is no gap.
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
