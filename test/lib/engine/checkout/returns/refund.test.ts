import { describe, expect, test } from 'vitest';
import {
  computeRefund,
  isNothingKept,
  type Payment,
  pointsBack,
  type Refund,
  type RefundTo,
  type Sold,
} from '#engine/checkout/returns/refund.ts';
import type { SoldLine } from '#engine/checkout/returns/units.ts';

function line(more: Partial<SoldLine>): SoldLine {
  const plain = { id: 'line', quantity: 1, amount: 0, discount: 0, share: 0, returned: 0, isByValue: false, lost: [] };
  return { ...plain, ...more };
}

const gift = (paid: number, refunded = 0): Payment => ({ id: 'gift', kind: 'credits', paid, refunded });
const points = (paid: number, refunded = 0): Payment => ({ id: 'points', kind: 'points', paid, refunded });

function sold(lines: Partial<SoldLine>[], payments: Payment[] = [], more: Partial<Sold> = {}): Sold {
  return { lines: lines.map(line), payments, refundedMoney: 0, isEven: true, ...more };
}

/** Returns the order after the refund, as the next return reads it. */
function followedBy(order: Sold, refund: Refund): Sold {
  const unitsOf = (index: number) => refund.lines.find((one) => one.index === index)?.units ?? 0;
  return {
    lines: order.lines.map((one, index) => ({ ...one, returned: one.returned + unitsOf(index) })),
    payments: order.payments.map((one, place) => ({ ...one, refunded: one.refunded + (refund.payments[place] ?? 0) })),
    refundedMoney: order.refundedMoney + refund.money,
    isEven: order.isEven && refund.isEven,
  };
}

const rows: [what: string, Sold, units: [number, number][], RefundTo, loss: number, expected: object][] = [
  [
    'a line has its part of a discount on the order',
    sold([
      { amount: 10_000, share: 1_000 },
      { amount: 1_000, share: 100 },
    ]),
    [[1, 1]],
    'PROPORTIONAL',
    0,
    { total: 900, money: 900 },
  ],
  [
    'half of an order without lines goes back in proportion',
    sold([{ id: 'rest', amount: 10_000, isByValue: true }], [gift(7_000)]),
    [[0, 5_000]],
    'PROPORTIONAL',
    0,
    { payments: [3_500], money: 1_500 },
  ],
  [
    'money goes back first',
    sold([{ id: 'rest', amount: 10_000, isByValue: true }], [gift(7_000)]),
    [[0, 5_000]],
    'MONEY_FIRST',
    0,
    { payments: [2_000], money: 3_000 },
  ],
  [
    'credits go back first',
    sold([{ id: 'rest', amount: 10_000, isByValue: true }], [gift(7_000)]),
    [[0, 5_000]],
    'CREDITS_FIRST',
    0,
    { payments: [5_000], money: 0 },
  ],
  [
    'kept lines keep their discount',
    sold([{ quantity: 6, amount: 36_000, share: 3_600 }]),
    [[0, 5]],
    'PROPORTIONAL',
    0,
    { total: 27_000, reclaimed: 0 },
  ],
  [
    'kept lines that lose their discount lower the refund',
    sold([{ quantity: 6, amount: 36_000, share: 3_600 }]),
    [[0, 5]],
    'PROPORTIONAL',
    600,
    { total: 26_400, reclaimed: 600 },
  ],
  [
    'the dearest of three for two goes back without what the free one costs',
    sold([{ amount: 1_000, discount: 1_000 }, { amount: 1_000 }, { amount: 2_000 }]),
    [[2, 1]],
    'PROPORTIONAL',
    1_000,
    { total: 1_000, reclaimed: 1_000 },
  ],
  [
    'the dearest of three for two goes back whole if the free one stays free',
    sold([{ amount: 1_000, discount: 1_000 }, { amount: 1_000 }, { amount: 2_000 }]),
    [[2, 1]],
    'PROPORTIONAL',
    0,
    { total: 2_000 },
  ],
  [
    'everything goes back to the card and in money',
    sold([{ amount: 10_000, share: 500 }], [gift(4_500)]),
    [[0, 1]],
    'PROPORTIONAL',
    0,
    { total: 9_500, payments: [4_500], money: 5_000 },
  ],
  [
    'points go back after money and before credits, or after credits and before money',
    sold([{ amount: 10_000 }], [gift(4_000), points(3_000)]),
    [[0, 1]],
    'MONEY_FIRST',
    0,
    { payments: [4_000, 3_000], money: 3_000 },
  ],
  [
    'a loss never exceeds the refund',
    sold([{ amount: 100 }, { amount: 10_000, discount: 5_000 }]),
    [[0, 1]],
    'PROPORTIONAL',
    5_000,
    { total: 0, reclaimed: 100 },
  ],
];

test.each(rows)('%s', (_, order, units, to, loss, expected) => {
  expect(computeRefund(order, new Map(units), to, loss)).toMatchObject(expected);
});

describe('returns of one order', () => {
  test('a unit has the difference to the units before it', () => {
    let order = sold([{ quantity: 3, amount: 9_999, share: 1_000 }]);
    const shares: number[] = [];
    const nets: number[] = [];
    for (const _ of [1, 2, 3]) {
      const refund = computeRefund(order, new Map([[0, 1]]), 'PROPORTIONAL', 0);
      shares.push(...refund.lines.map((one) => one.share));
      nets.push(refund.total);
      order = followedBy(order, refund);
    }
    expect([shares, nets]).toEqual([
      [333, 334, 333],
      [3_000, 2_999, 3_000],
    ]);
    expect(isNothingKept(order, new Map())).toBe(true);
  });

  test('sum to the order and to each payment, whatever way each takes', () => {
    const ways: RefundTo[] = ['PROPORTIONAL', 'MONEY_FIRST', 'CREDITS_FIRST', 'PROPORTIONAL', 'PROPORTIONAL'];
    const first = sold(
      [
        { quantity: 3, amount: 1_000, discount: 101, share: 77 },
        { quantity: 7, amount: 3_333, discount: 1, share: 201 },
        { id: 'rest', amount: 499, share: 13 },
      ],
      [gift(1_237), points(811)],
    );
    const asked: [number, number][][] = [[[0, 1]], [[1, 3]], [[0, 2]], [[1, 4]], [[2, 1]]];
    let order = first;
    const refunds = asked.map((units, index) => {
      const refund = computeRefund(order, new Map(units), ways[index] ?? 'PROPORTIONAL', 0);
      order = followedBy(order, refund);
      return refund;
    });
    expect(refunds.reduce((all, { total }) => all + total, 0)).toBe(4_832 - 102 - 291);
    expect(order.payments.map(({ refunded }) => refunded)).toEqual([1_237, 811]);
    expect(order.refundedMoney).toBe(4_832 - 102 - 291 - 1_237 - 811);
    for (const { money, payments } of refunds) expect([money, ...payments].every((one) => one >= 0)).toBe(true);
  });

  test('a lost discount is part of what the kept units are worth', () => {
    const kept = line({ quantity: 6, amount: 36_000, share: 3_600, returned: 5, lost: [{ after: 5, amount: 600 }] });
    const order = sold([kept], [], { refundedMoney: 26_400, isEven: false });
    expect(computeRefund(order, new Map([[0, 1]]), 'PROPORTIONAL', 0)).toMatchObject({
      total: 6_000,
      lines: [{ amount: 6_000, discount: 0, share: 0, net: 6_000 }],
    });
  });
});

test('points go back by the worth that was returned so far', () => {
  const paid = { points: 7, paid: 1_000 };
  expect(pointsBack({ ...paid, refunded: 0 }, 500, 0)).toBe(4);
  expect(pointsBack({ ...paid, refunded: 500 }, 500, 4)).toBe(3);
});

test('amounts at the limit of safe integers stay exact', () => {
  const amount = Number.MAX_SAFE_INTEGER;
  let order = sold([{ quantity: 2, amount, share: 1 }], [gift(amount - 2)]);
  const totals = [1, 1].map((units) => {
    const refund = computeRefund(order, new Map([[0, units]]), 'PROPORTIONAL', 0);
    order = followedBy(order, refund);
    return refund.total;
  });
  expect((totals[0] ?? 0) + (totals[1] ?? 0)).toBe(amount - 1);
  expect([order.payments[0]?.refunded, order.refundedMoney]).toEqual([amount - 2, 1]);
});
