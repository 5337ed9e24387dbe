import { describe, expect, test } from 'vitest';
import type { Account } from '../../../../support/return-books/points.ts';
import { repricing } from '../../../../support/return-books/pricing.ts';
import { type Asked, ReturnBook } from '../../../../support/return-books/return-book.ts';
import type { Coupon, Payment, SoldLine } from '../../../../support/return-books/sale.ts';

/** The books of returns hold the examples of the description. Their random orders are in `return-books-model.long.test.ts`. */

const line = (id: string, quantity: bigint, amount: bigint, discount = 0n): SoldLine => ({
  ...{ id, quantity, amount, discount },
});
const coupon = (discount: bigint): Coupon => ({ kind: 'coupon', redemption: 'r_coupon', discount });
const gift = (worth: bigint, code = 'GIFT'): Payment => ({
  ...{ kind: 'credits', redemption: `r_${code}`, code, worth, charged: worth },
});
const points = (charged: bigint, worth: bigint): Payment => ({
  ...{ kind: 'points', redemption: 'r_card', code: 'CARD', worth, charged },
});
const units = (id: string, quantity: bigint) => ({ items: [{ id, quantity }] });

function take(book: ReturnBook, asked: Asked) {
  const answer = book.take(asked);
  if ('refused' in answer) throw new Error(answer.refused);
  return answer.returned;
}

describe('the books of returns hold the example of', () => {
  test('a coupon of ten percent on two lines', () => {
    const book = new ReturnBook({ lines: [line('a', 1n, 10_000n), line('b', 1n, 1_000n)], redeemed: [coupon(1_100n)] });
    expect(book.lines.map(({ shares }) => shares)).toEqual([[1_000n], [100n]]);
    const { items, refund } = take(book, units('b', 1n));
    expect(items).toMatchObject([{ id: 'b', quantity: 1n, amount: 1_000n, discount: 0n, share: 100n, net: 900n }]);
    expect(refund).toMatchObject({ total: 900n, money: 900n, credits: [], points: [] });
  });

  test('three units returned one by one', () => {
    const book = new ReturnBook({ lines: [line('a', 3n, 9_999n)], redeemed: [coupon(1_000n)] });
    const all = [1, 2, 3].map(() => take(book, units('a', 1n)));
    expect(all.map(({ items: [first] }) => [first?.amount, first?.share, first?.net])).toEqual([
      [3_333n, 333n, 3_000n],
      [3_333n, 334n, 2_999n],
      [3_333n, 333n, 3_000n],
    ]);
    expect(all.map(({ refund }) => refund.money)).toEqual([3_000n, 2_999n, 3_000n]);
    expect(all.map(({ isNothingKept }) => isNothingKept)).toEqual([false, false, true]);
  });

  test.each([
    ['PROPORTIONAL', 3_500n, 1_500n],
    ['MONEY_FIRST', 2_000n, 3_000n],
    ['CREDITS_FIRST', 5_000n, 0n],
  ] as const)('half of an order without lines, %s', (refund_to, amount, money) => {
    const book = new ReturnBook({ lines: [], amount: 10_000n, redeemed: [gift(7_000n)] });
    const { items, refund } = take(book, { amount: 5_000n, refund_to });
    expect(items).toEqual([]);
    expect(refund).toMatchObject({ total: 5_000n, money, credits: [{ code: 'GIFT', amount }] });
  });

  test('a coupon that needs a minimum, kept or priced again', () => {
    const price = repricing([{ kind: 'percent', percent: 10n, from: 30_000n }], [6_000n]);
    const sale = { lines: [line('a', 6n, 36_000n)], redeemed: [coupon(3_600n)] };
    const of = (kept_lines: 'KEEP' | 'REPRICE') => {
      const book = new ReturnBook(sale, { price });
      const { refund, reclaimed } = take(book, { ...units('a', 5n), kept_lines });
      return [refund.total, reclaimed, take(book, units('a', 1n)).refund.total];
    };
    expect(of('KEEP')).toEqual([27_000n, 0n, 5_400n]);
    expect(of('REPRICE')).toEqual([26_400n, 600n, 6_000n]);
  });

  test('earned points that were spent since', () => {
    const account: Account = {
      code: 'CARD',
      rules: [{ measure: 'ORDER_TOTAL_AMOUNT', every: 100n, points: 1n }],
      ...{ earned: 100n, pending: 0n, lots: [{ points: 40n, expires: null, ofOrder: true }] },
    };
    const book = new ReturnBook({ lines: [line('a', 1n, 10_000n)], redeemed: [] }, { accounts: [account] });
    expect(take(book, units('a', 1n)).earned).toEqual([
      { code: 'CARD', points: 100n, pending: 0n, balance: 40n, missing: 60n },
    ]);
  });

  test('earned points that are pending', () => {
    const account: Account = {
      code: 'CARD',
      rules: [{ measure: 'ORDER_TOTAL_AMOUNT', every: 100n, points: 1n }],
      ...{ earned: 100n, pending: 100n, lots: [] },
    };
    const book = new ReturnBook({ lines: [], amount: 10_000n, redeemed: [] }, { accounts: [account] });
    expect(take(book, { amount: 5_000n }).earned).toMatchObject([{ pending: 50n, balance: 0n, missing: 0n }]);
    expect(account.pending).toBe(50n);
  });

  test('three for two, kept or priced again', () => {
    const price = repricing([{ kind: 'three for two' }], [1_000n, 2_000n]);
    const sale = { lines: [line('tens', 2n, 2_000n, 1_000n), line('twenty', 1n, 2_000n)], redeemed: [] };
    const of = (kept_lines: 'KEEP' | 'REPRICE') => {
      const { refund, reclaimed } = take(new ReturnBook(sale, { price }), { ...units('twenty', 1n), kept_lines });
      return [refund.total, reclaimed];
    };
    expect(of('KEEP')).toEqual([2_000n, 0n]);
    expect(of('REPRICE')).toEqual([1_000n, 1_000n]);
  });

  test('two redemptions of which nothing is kept', () => {
    const book = new ReturnBook({ lines: [line('a', 1n, 10_000n)], redeemed: [coupon(500n), gift(4_500n)] });
    const { refund, rolledBack } = take(book, units('a', 1n));
    expect(refund).toMatchObject({ total: 9_500n, money: 5_000n, credits: [{ amount: 4_500n }] });
    expect(rolledBack).toEqual(['r_coupon', 'r_GIFT']);
  });
});

describe('the books of returns', () => {
  test('give points back with their worth, and round them over all returns', () => {
    const book = new ReturnBook({ lines: [line('a', 4n, 100n)], redeemed: [points(3n, 7n)] });
    const back = [1, 2, 3, 4].map(() => take(book, units('a', 1n)).refund.points[0]);
    expect(back.map((one) => [one?.worth, one?.points])).toEqual([
      [2n, 1n],
      [2n, 1n],
      [1n, 0n],
      [2n, 1n],
    ]);
  });

  test('pay what a deleted card paid in money', () => {
    const deleted = new Set(['GONE']);
    const sale = { lines: [line('a', 2n, 1_000n)], redeemed: [gift(400n, 'GONE'), gift(200n)] };
    const { refund } = take(new ReturnBook(sale, { deleted }), units('a', 1n));
    expect(refund).toMatchObject({
      total: 500n,
      money: 400n,
      credits: [{ amount: 0n, isDeleted: true }, { amount: 100n }],
    });
  });

  test('split by what each payment has left after a return that took another way', () => {
    const book = new ReturnBook({ lines: [line('a', 4n, 400n)], redeemed: [gift(200n)] });
    const money = (asked: Asked) => take(book, asked).refund.money;
    expect(money({ ...units('a', 1n), refund_to: 'MONEY_FIRST' })).toBe(100n);
    // Credits are 200 of the 300 that are left.
    expect([money(units('a', 1n)), money(units('a', 1n)), money(units('a', 1n))]).toEqual([33n, 33n, 34n]);
  });

  test('share shipping as one more line', () => {
    const book = new ReturnBook({ lines: [line('a', 1n, 900n)], amount: 1_000n, redeemed: [coupon(100n)] });
    expect(book.lines.map(({ id, shares }) => [id, shares])).toEqual([
      ['a', [90n]],
      ['rest', [10n]],
    ]);
  });

  test('give the last unit of a share to the largest remainder, and among equals to the earlier line', () => {
    const lines = [line('a', 1n, 10n), line('b', 1n, 10n), line('c', 1n, 10n), line('d', 1n, 20n)];
    // The parts are 1.4, 1.4, 1.4 and 2.8.
    const [first] = [new ReturnBook({ lines, redeemed: [coupon(7n)] })];
    expect(first?.lines.map(({ shares: [share] }) => share)).toEqual([2n, 1n, 1n, 3n]);
  });

  test('take the points of the order first, then those that expire last', () => {
    const lots = [
      { points: 5n, expires: '2027-01-31', ofOrder: false },
      { points: 6n, expires: null, ofOrder: false },
      { points: 7n, expires: '2026-12-31', ofOrder: true },
    ];
    const account: Account = {
      code: 'CARD',
      rules: [{ measure: 'FIXED', points: 15n }],
      earned: 15n,
      pending: 0n,
      lots,
    };
    take(new ReturnBook({ lines: [line('a', 1n, 1n)], redeemed: [] }, { accounts: [account] }), units('a', 1n));
    expect(lots.map((lot) => lot.points)).toEqual([3n, 0n, 0n]);
  });

  test.each([
    ['more units than are left', units('a', 3n), 'return_exceeds_order'],
    [
      'one line named twice too often',
      { items: [...units('a', 2n).items, ...units('a', 1n).items] },
      'return_exceeds_order',
    ],
    ['a line that does not exist', units('b', 1n), 'invalid_payload'],
    ['no unit', units('a', 0n), 'invalid_payload'],
    ['nothing', {}, 'invalid_payload'],
    ['an amount of an order with lines', { amount: 1n }, 'invalid_payload'],
    ['both', { ...units('a', 1n), amount: 1n }, 'invalid_payload'],
  ])('refuse %s', (_, asked, refused) => {
    const book = new ReturnBook({ lines: [line('a', 2n, 10n)], redeemed: [] });
    expect(book.take(asked)).toEqual({ refused });
    expect(book.left()).toEqual([2n]);
  });
});
