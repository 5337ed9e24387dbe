import { expect, test } from 'vitest';
import { mergeLines } from '#engine/checkout/orders/figures.ts';
import type { OrderLine } from '#engine/checkout/orders/line.ts';

/** Sends lines for an order that already has stored lines. */

const line = (quantity: number, more: Partial<OrderLine> = {}): OrderLine => ({
  object: 'order_item',
  product_id: 'prod_tea',
  quantity,
  ...more,
});
const stored = (quantity: number, more: Partial<OrderLine> = {}) => line(quantity, { id: 'ordli_1', ...more });

/** The stored line, the sent line, the id of the result, and the number of units at which redemptions begin to add. */
test.each<[string, OrderLine, OrderLine[], string | undefined, number | undefined]>([
  ['is new', line(2), [], undefined, undefined],
  ['counts units that nobody gave', line(2, { initial_quantity: 1 }), [], undefined, 1],
  ['has free units', line(2, { initial_quantity: 1, discount_quantity: 1 }), [], undefined, undefined],
  ['has fewer units than at first', line(1, { initial_quantity: 2 }), [], undefined, undefined],
  ['is unchanged', line(2), [stored(2)], 'ordli_1', undefined],
  ['is another', line(3), [stored(2)], undefined, undefined],
  [
    'equals the line after the redemptions',
    line(2, { initial_quantity: 0 }),
    [stored(2, { initial_quantity: 0 })],
    'ordli_1',
    undefined,
  ],
  [
    'has the name of a line whose units came from redemptions, except one',
    stored(3, { initial_quantity: 1 }),
    [line(1), stored(3, { initial_quantity: 1, price: 5 })],
    'ordli_1',
    undefined,
  ],
  [
    'has one unit more than redemptions gave',
    stored(3, { initial_quantity: 0 }),
    [stored(2, { initial_quantity: 0 })],
    'ordli_1',
    2,
  ],
  [
    'counts the given units again',
    line(2, { initial_quantity: 1 }),
    [stored(2, { initial_quantity: 1, base_quantity: 1 })],
    'ordli_1',
    1,
  ],
  ['resembles a line without an id', line(2), [line(2)], undefined, undefined],
])('a line that %s', (_, sent, before, id, base) => {
  const [found] = mergeLines([sent], before);
  expect(found).toMatchObject({ quantity: sent.quantity });
  expect([found?.id, found?.base_quantity]).toEqual([id, base]);
});

/** Discounts of the stored line: all of them, and the caller's part. Then the sent line's discount, and the caller's part. */
test.each<[string, Partial<OrderLine> | undefined, number, number | undefined]>([
  ['by the caller, on a new line', undefined, 100, 100],
  ['by redemptions, sent back unchanged', { discount_amount: 100, sent_discount_amount: 0 }, 100, 0],
  ['by both, sent back unchanged', { discount_amount: 100, sent_discount_amount: 30 }, 100, 30],
  ['by both, with more by the caller', { discount_amount: 100, sent_discount_amount: 30 }, 150, 80],
  ['by redemptions, with less by the caller', { discount_amount: 100, sent_discount_amount: 0 }, 0, -100],
  ['by an unknown source', { discount_amount: 100 }, 100, undefined],
])("the caller's part of a line's discount is known if it was taken off %s", (_, before, discount_amount, expected) => {
  const [found] = mergeLines([stored(1, { discount_amount })], before ? [stored(1, before)] : []);
  expect(found?.sent_discount_amount).toBe(expected);
});
