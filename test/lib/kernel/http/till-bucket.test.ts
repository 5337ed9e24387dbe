import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  callsIn,
  copies,
  earningTime,
  givenAfter,
  type Lease,
  largestLease,
  nextSize,
  savingTime,
} from '#kernel/http/till-bucket.ts';

const start = 1_781_524_800_000_000;
const rates = fc.integer({ min: 1, max: 100_000 });
/** Steps of time in microseconds, and the calls wanted after each. */
const steps = fc.array(fc.tuple(fc.integer({ min: 0, max: 3_000_000 }), fc.integer({ min: 1, max: 20_000 })), {
  maxLength: 60,
});

/** Lets one caller use one copy. Returns the time and the calls of each taking. */
function takings(rate: number, wishes: readonly (readonly [pause: number, wanted: number])[]) {
  let givenUpTo: number | undefined;
  let now = start;
  return wishes.map(([pause, wanted]) => {
    now += pause;
    const calls = Math.min(wanted, callsIn(givenUpTo, now, rate));
    if (calls > 0) givenUpTo = givenAfter(givenUpTo, calls, now, rate);
    return { now, calls, givenUpTo };
  });
}

const burstOf = (rate: number) => Math.max(1, rate / copies);

describe('a copy of a bucket', () => {
  test('gives in any span of time at most its share of the rate and its savings', () => {
    fc.assert(
      fc.property(rates, steps, (rate, wishes) => {
        const taken = takings(rate, wishes);
        for (let from = 0; from < taken.length; from++) {
          let calls = 0;
          for (const one of taken.slice(from)) {
            calls += one.calls;
            const seconds = (one.now - (taken[from]?.now ?? 0)) / 1_000_000;
            expect(calls).toBeLessThanOrEqual((rate / copies) * seconds + burstOf(rate) + 1e-6);
          }
        }
      }),
    );
  });

  test('never gives calls of the future away, and its time never goes back', () => {
    fc.assert(
      fc.property(rates, steps, (rate, wishes) => {
        let before = 0;
        for (const { now, givenUpTo = 0 } of takings(rate, wishes)) {
          expect(givenUpTo).toBeLessThanOrEqual(now);
          expect(givenUpTo).toBeGreaterThanOrEqual(before);
          before = givenUpTo;
        }
      }),
    );
  });

  test('is full again after the time for which it saves, and has a call after the time of one', () => {
    fc.assert(
      fc.property(rates, fc.integer({ min: 1, max: 200_000 }), (rate, wanted) => {
        const full = callsIn(undefined, start, rate);
        expect(full).toBe(Math.floor(burstOf(rate)));
        const givenUpTo = givenAfter(undefined, Math.min(wanted, full), start, rate);
        expect(callsIn(givenUpTo, start + savingTime(rate), rate)).toBe(full);
        expect(callsIn(givenUpTo, givenUpTo + earningTime(1, rate), rate)).toBeGreaterThanOrEqual(1);
        expect(callsIn(givenUpTo, givenUpTo + earningTime(1, rate) - 1, rate)).toBe(0);
      }),
    );
  });
});

describe('a lease', () => {
  const lease = (size: number, left: number): Lease => ({ size, left, untilInMs: 1_000 });

  test.each<[string, Lease | undefined, number, number]>([
    ['begins with one call', undefined, 900, 1],
    ['doubles if the last one was used up in its time', lease(4, 0), 999, 8],
    ['keeps its size if the last one was used up after its time', lease(4, 0), 1_000, 4],
    ['becomes as large as the used part of the last one', lease(8, 5), 1_000, 3],
    ['has at least one call', lease(8, 8), 1_000, 1],
    ['has at most a tenth of the calls of a second', lease(64, 0), 999, 100],
  ])('%s', (_, last, nowInMs, size) => {
    expect(nextSize(last, nowInMs, 1_000)).toBe(size);
  });

  test('is never larger than the calls of a full copy', () => {
    fc.assert(fc.property(rates, (rate) => largestLease(rate) <= callsIn(undefined, start, rate)));
  });
});
