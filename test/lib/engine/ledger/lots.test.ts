import { describe, expect, test } from 'vitest';
import { addLot, findFirstLapse, findLiveLots, type Lot, readCardFigures, spendPoints } from '#engine/ledger/lots.ts';

const lot = (points: number, expires: string | null): Lot => ({ points, expires });
const never = lot(10, null);
const june = lot(20, '2026-06-30');
const may = lot(30, '2026-05-31');

describe('points are good through the day on which they expire', () => {
  test.each([
    ['2026-05-31', [never, june, may]],
    ['2026-06-01', [never, june]],
    ['2026-06-30', [never, june]],
    ['2026-07-01', [never]],
  ])('on %s', (day, live) => expect(findLiveLots([never, june, may, lot(0, null)], day)).toEqual(live));
});

describe('spending takes the lots that expire soonest first, and lots without expiry last', () => {
  const lots = [never, june, may];
  test.each<[number, Lot[] | undefined]>([
    [0, [may, june, never]],
    [1, [lot(29, '2026-05-31'), june, never]],
    [30, [june, never]],
    [31, [lot(19, '2026-06-30'), never]],
    [50, [never]],
    [59, [lot(1, null)]],
    [60, []],
    [61, undefined],
  ])('%i of 60', (points, left) => expect(spendPoints(lots, points)).toEqual(left));

  test('spending nothing changes nothing', () => {
    expect(spendPoints([], 1)).toBeUndefined();
    expect(spendPoints([], 0)).toEqual([]);
  });
});

test('points with one last day are one lot', () => {
  expect(addLot([never, june], lot(5, '2026-06-30'))).toEqual([never, lot(25, '2026-06-30')]);
  expect(addLot([june], lot(5, null))).toEqual([june, lot(5, null)]);
  expect(addLot([never], lot(5, null))).toEqual([lot(15, null)]);
});

test('the first lapse is the lapse of the lot that expires soonest', () => {
  expect(findFirstLapse([never, june, may])).toBe('2026-05-31');
  expect(findFirstLapse([never])).toBeUndefined();
});

describe('the figures of a card', () => {
  const now = new Date('2026-06-15T12:00:00Z');
  test('add up its live lots, and the next expiration has all lots of that day', () => {
    expect(readCardFigures(100, [never, june, may, lot(7, '2026-06-30')], now)).toEqual({
      points: 100,
      balance: 37,
      next_expiration_date: '2026-06-30',
      next_expiration_points: 27,
    });
  });

  test('have no next expiration if nothing expires', () => {
    expect(readCardFigures(10, [never], now)).toEqual({ points: 10, balance: 10 });
    expect(readCardFigures(10, [may], now)).toEqual({ points: 10, balance: 0 });
  });
});
