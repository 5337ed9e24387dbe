import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { allocatePrice, computeStandAlonePrice } from '#addons/reports/liability/allocation.ts';
import { bookPeriod, computeLiability, emptyPool } from '#addons/reports/liability/pool.ts';
import { computeShare } from '#addons/reports/liability/share.ts';

const onePerPoint = { amount: 1, points: 1 };
const thousands = 1_000;

/** Books the published first period: 10,000 points for sales of 100,000, of which 4,500 are redeemed. */
const bookFirst = (rate: number) =>
  bookPeriod(
    emptyPool,
    { opening: 0, closing: 5_500, issued: 10_000, redeemed: 4_500 },
    rate,
    (points) => allocatePrice(100_000, computeStandAlonePrice(points, onePerPoint, rate), thousands).points,
  );

const allocateNothing = () => 0;

describe('the published figures', () => {
  test('sales of 100,000 with 10,000 points, 97 % of them expected, are 91,000 for the goods and 9,000 for the points', () => {
    const standAlone = computeStandAlonePrice(10_000, onePerPoint, 9_700);
    expect(standAlone).toBe(9_700);
    expect(allocatePrice(100_000, standAlone, thousands)).toEqual({ sold: 91_000, points: 9_000 });
    // Without rounding to thousands, the points are 100,000 × 9,700 / 109,700.
    expect(allocatePrice(100_000, standAlone)).toEqual({ sold: 91_158, points: 8_842 });
  });

  test('4,500 redeemed points are 4,175 of revenue', () => {
    const booking = bookFirst(9_700);
    expect(booking).toMatchObject({ deferred: 9_000, redeemed: 4_175, caught_up: 0 });
    expect(computeLiability(booking.pool)).toBe(4_825);
  });

  test.each([
    [9_900, 3_552, -84],
    [9_200, 4_140, 227],
  ])('4,000 more with an estimate of %i are %i, of which the changed estimate moves %i', (rate, revenue, moved) => {
    const period = { opening: 5_500, closing: 1_500, issued: 0, redeemed: 4_000 };
    const { redeemed, caught_up, deferred } = bookPeriod(bookFirst(9_700).pool, period, rate, allocateNothing);
    expect([redeemed + caught_up, caught_up, deferred]).toEqual([revenue, moved, 0]);
  });
});

describe('the contract liability', () => {
  test('is 0 once all points are redeemed or have expired, whatever the estimate was', () => {
    const { pool } = bookFirst(9_700);
    const spent = bookPeriod(pool, { opening: 5_500, closing: 0, issued: 0, redeemed: 5_500 }, 9_700, allocateNothing);
    const lapsed = bookPeriod(pool, { opening: 5_500, closing: 0, issued: 0, redeemed: 0 }, 9_700, allocateNothing);
    expect([computeLiability(spent.pool), computeLiability(lapsed.pool)]).toEqual([0, 0]);
  });

  test('returns with points that a rollback returns', () => {
    const back = { opening: 5_500, closing: 10_000, issued: 0, redeemed: -4_500 };
    const { pool, redeemed } = bookPeriod(bookFirst(9_700).pool, back, 9_700, allocateNothing);
    expect([redeemed, computeLiability(pool)]).toEqual([-4_175, 9_000]);
  });

  test('loses the part of points that are taken back', () => {
    const removal = { opening: 10_000, closing: 7_500, issued: -2_500, redeemed: 0 };
    const issued = bookPeriod(
      emptyPool,
      { opening: 0, closing: 10_000, issued: 10_000, redeemed: 0 },
      9_700,
      () => 9_000,
    );
    const { deferred, pool } = bookPeriod(issued.pool, removal, 9_700, allocateNothing);
    expect([deferred, pool.issued_points, computeLiability(pool)]).toEqual([-2_250, 7_500, 6_750]);
  });

  test('is 0 if no point is expected to be redeemed', () => {
    const { pool } = bookPeriod(emptyPool, { opening: 0, closing: 100, issued: 100, redeemed: 0 }, 0, () => 50);
    expect(computeLiability(pool)).toBe(0);
  });

  test('stays between 0 and the deferred amount, and every unit is booked once, in any story', () => {
    const step = fc.record({
      issued: fc.integer({ min: -500, max: 2_000 }),
      spent: fc.double({ min: 0, max: 1, noNaN: true }),
      expired: fc.double({ min: 0, max: 1, noNaN: true }),
      rate: fc.integer({ min: 0, max: 10_000 }),
      sales: fc.nat(1_000_000),
    });
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 20 }), (steps) => {
        let pool = emptyPool;
        let [outstanding, deferred, revenue] = [0, 0, 0];
        for (const { issued: wanted, spent, expired, rate, sales } of steps) {
          const opening = outstanding;
          const issued = Math.max(wanted, -opening);
          const redeemed = Math.floor((opening + issued) * spent);
          const lapsed = Math.floor((opening + issued - redeemed) * expired);
          outstanding = opening + issued - redeemed - lapsed;
          const booking = bookPeriod(
            pool,
            { opening, closing: outstanding, issued, redeemed },
            rate,
            (points) => allocatePrice(sales, computeStandAlonePrice(points, { amount: 7, points: 3 }, rate)).points,
          );
          pool = booking.pool;
          deferred += booking.deferred;
          revenue += booking.redeemed + booking.caught_up;
          expect([pool.deferred_amount, pool.recognised_amount]).toEqual([deferred, revenue]);
          expect(computeLiability(pool)).toBeGreaterThanOrEqual(0);
          if (outstanding === 0) expect(computeLiability(pool)).toBe(0);
        }
      }),
    );
  });
});

describe('shares are integers', () => {
  test.each([
    [5, 1, 2, 3],
    [-5, 1, 2, -3],
    [9_007_199_254_740_991, 9_007_199_254_740_991, 9_007_199_254_740_991, 9_007_199_254_740_991],
    [1, 1, 3, 0],
    [2, 1, 3, 1],
  ])('%i × %i / %i is %i', (amount, part, whole, share) => expect(computeShare(amount, part, whole)).toBe(share));

  test('and an amount beyond safe integers is refused instead of rounded', () => {
    expect(() => computeShare(Number.MAX_SAFE_INTEGER, 2, 1)).toThrow('safe integer');
    expect(() => computeStandAlonePrice(Number.MAX_SAFE_INTEGER, { amount: 2, points: 1 }, 10_000)).toThrow(
      'safe integer',
    );
  });

  test('and a price as large as a safe integer is shared exactly', () => {
    const most = Number.MAX_SAFE_INTEGER;
    expect(allocatePrice(most, most)).toEqual({ sold: (most - 1) / 2, points: (most + 1) / 2 });
  });

  test('and both parts of a price make up the price', () => {
    fc.assert(
      fc.property(fc.nat(), fc.nat(), fc.integer({ min: 1, max: 10_000 }), (price, standAlone, unit) => {
        const { sold, points } = allocatePrice(price, standAlone, unit);
        expect(sold + points).toBe(price);
        expect(Math.min(sold, points)).toBeGreaterThanOrEqual(0);
      }),
    );
  });
});
