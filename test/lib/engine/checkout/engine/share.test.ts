import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { shareWithin } from '#engine/checkout/engine/units.ts';
import { computePercent, scaleAmount, share } from '#kernel/core/money.ts';

const max = Number.MAX_SAFE_INTEGER;
const amount = fc.oneof(fc.nat(5_000), fc.maxSafeNat());
const numRuns = process.env.LONG_TESTS ? 10_000 : 300;
const sum = (all: readonly number[]) => all.reduce((total, one) => total + one, 0);

describe('a product and quotient', () => {
  test.each([
    ['is rounded half up', 5, 1, 2, 3],
    ['is rounded down below a half', 4, 1, 3, 1],
    ['is exact where the product is not', max, max - 1, max, max - 1],
    ['loses no unit of the largest amount', max, 999_999_999, 1_000_000_000, 9_007_199_245_733_792],
  ])('%s', (_, one, over, under, expected) => {
    expect(scaleAmount(one, over, under)).toBe(expected);
  });

  test('is the nearest integer for any factors and divisor', () => {
    fc.assert(
      fc.property(amount, amount, amount, (one, over, under) => {
        fc.pre(under > 0 && over <= under);
        const product = BigInt(one) * BigInt(over);
        const found = BigInt(scaleAmount(one, over, under)) * BigInt(under);
        const off = 2n * (found - product);
        expect(off > -BigInt(under) && off <= BigInt(under)).toBe(true);
      }),
      { numRuns, seed: 20_261_122 },
    );
  });

  test.each([
    [999, 12.5, 125],
    [1000, 33.3, 333],
    [1001, 50, 501],
    [max, 100, max],
    [max, 0, 0],
    [200, 0.25, 1],
  ])('of %i is the percentage: %f%% are %i', (one, percent, expected) => {
    expect(computePercent(one, percent)).toBe(expected);
  });
});

describe('an amount that is shared', () => {
  test.each([
    ['gives the largest remainder what is left', 100, [1, 2, 4], [14, 29, 57]],
    ['gives it to the earlier of equal ones', 100, [1, 1, 1], [34, 33, 33]],
    ['goes to nobody without weights', 100, [0, 0], [0, 0]],
    ['gives nothing to a share without weight', 5, [0, 1], [0, 5]],
    ['may be less than the number of shares', 2, [5, 5, 5], [1, 1, 0]],
    ['has no limit that the order does not have', max, [max, max], [4_503_599_627_370_496, 4_503_599_627_370_495]],
  ])('%s', (_, total, weights, parts) => {
    expect(share(total, weights)).toEqual(parts);
  });

  test('gives the excess of a full share to the others', () => {
    const sharers = [
      { weight: 100, limit: 10 },
      { weight: 50, limit: 50 },
      { weight: 50, limit: 30 },
    ];
    expect(shareWithin(60, sharers)).toEqual([10, 25, 25]);
    expect(shareWithin(80, sharers)).toEqual([10, 40, 30]);
    expect(shareWithin(500, sharers)).toEqual([10, 50, 30]);
  });

  test('is given away completely as far as possible, and each share is within one unit of its part', () => {
    const sharers = fc.array(fc.record({ weight: fc.nat(9_000), limit: fc.nat(9_000) }), { maxLength: 12 });
    fc.assert(
      fc.property(amount, sharers, (total, all) => {
        const parts = shareWithin(total, all);
        const open = all.filter(({ weight }) => weight > 0);
        expect(sum(parts)).toBe(Math.min(total, sum(open.map(({ limit }) => limit))));
        for (const [place, { limit }] of all.entries()) {
          expect(parts[place]).toBeGreaterThanOrEqual(0);
          expect(parts[place]).toBeLessThanOrEqual(limit);
        }
        const weights = all.map(({ weight }) => weight);
        const whole = sum(weights);
        if (whole === 0 || total > 5_000) return;
        for (const [place, part] of share(total, weights).entries()) {
          expect(Math.abs(part - (total * (weights[place] ?? 0)) / whole)).toBeLessThan(1);
        }
      }),
      { numRuns, seed: 20_261_122 },
    );
  });
});
