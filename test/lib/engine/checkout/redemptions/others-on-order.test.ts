import { expect, test } from 'vitest';
import { splitAround } from '#engine/checkout/redemptions/others-on-order.ts';

/** Makes a redemption at this second, on an order that names its redemptions. */
const redeemed = (id: string, second: number) => ({
  id,
  date: `2026-06-15T10:00:0${second}.000Z`,
  order: { object: 'order' as const, id, items: [], metadata: {} },
});

test('redemptions of others are listed in the order in which they happened, whatever order the order names', () => {
  const [first, second, own, third, last] = [
    redeemed('r_9', 1),
    redeemed('r_1', 2),
    redeemed('r_2', 2),
    redeemed('r_3', 2),
    redeemed('r_0', 3),
  ] as const;
  const ids = (orders: readonly { id?: string | undefined }[]) => orders.map(({ id }) => id);
  for (const others of [
    [first, second, third, last],
    [last, third, second, first],
    [third, first, last, second],
  ]) {
    const { earlier, later } = splitAround(own, others);
    expect([ids(earlier), ids(later)]).toEqual([
      ['r_9', 'r_1'],
      ['r_3', 'r_0'],
    ]);
  }
});

test('redemptions without an order are left out', () => {
  const { order: _, ...without } = redeemed('r_1', 1);
  expect(splitAround(redeemed('r_2', 2), [without])).toEqual({ earlier: [], later: [] });
});
