import { expect, test } from 'vitest';
import type { OrderLine } from '../../../../lib/checkout/orders/line.ts';
import { linesOver } from '../../../../lib/checkout/orders/sent-over.ts';

/** Lines that are sent of an order over those that are stored. */

const line = (quantity: number, more: Partial<OrderLine> = {}): OrderLine => ({
  object: 'order_item',
  product_id: 'prod_tea',
  quantity,
  ...more,
});
const stored = (quantity: number, more: Partial<OrderLine> = {}) => line(quantity, { id: 'ordli_1', ...more });

/** What is sent over what is stored, the id that the line has then, and at how many units redemptions begin to add. */
test.each<[string, OrderLine, OrderLine[], string | undefined, number | undefined]>([
  ['is a new one', line(2), [], undefined, undefined],
  ['counts units in that nobody gave', line(2, { initial_quantity: 1 }), [], undefined, 1],
  ['has free units', line(2, { initial_quantity: 1, discount_quantity: 1 }), [], undefined, undefined],
  ['has fewer units than at first', line(1, { initial_quantity: 2 }), [], undefined, undefined],
  ['stands as it was', line(2), [stored(2)], 'ordli_1', undefined],
  ['is another', line(3), [stored(2)], undefined, undefined],
  [
    'stands as redemptions left it',
    line(2, { initial_quantity: 0 }),
    [stored(2, { initial_quantity: 0 })],
    'ordli_1',
    undefined,
  ],
  [
    'is called as one to which redemptions gave all but one',
    stored(3, { initial_quantity: 1 }),
    [line(1), stored(3, { initial_quantity: 1, price: 5 })],
    'ordli_1',
    undefined,
  ],
  [
    'has one unit more than redemptions gave to it',
    stored(3, { initial_quantity: 0 }),
    [stored(2, { initial_quantity: 0 })],
    'ordli_1',
    2,
  ],
  [
    'counts them in again',
    line(2, { initial_quantity: 1 }),
    [stored(2, { initial_quantity: 1, base_quantity: 1 })],
    'ordli_1',
    1,
  ],
  ['is like one without an id', line(2), [line(2)], undefined, undefined],
])('a line that %s', (_, sent, before, id, base) => {
  const [found] = linesOver([sent], before);
  expect(found).toMatchObject({ quantity: sent.quantity });
  expect([found?.id, found?.base_quantity]).toEqual([id, base]);
});

/** Off the line when it was stored, of that by its caller, off it as it is sent, and then of that by its caller. */
test.each<[string, Partial<OrderLine> | undefined, number, number | undefined]>([
  ['by its caller, of a new line', undefined, 100, 100],
  ['by redemptions, sent back as it was shown', { discount_amount: 100, sent_discount_amount: 0 }, 100, 0],
  ['by both, sent back as it was shown', { discount_amount: 100, sent_discount_amount: 30 }, 100, 30],
  ['by both, and more by its caller', { discount_amount: 100, sent_discount_amount: 30 }, 150, 80],
  ['by redemptions, and less by its caller', { discount_amount: 100, sent_discount_amount: 0 }, 0, -100],
  ['by who is not known', { discount_amount: 100 }, 100, undefined],
])('of what is off a line it is known what was taken off %s', (_, before, discount_amount, expected) => {
  const [found] = linesOver([stored(1, { discount_amount })], before ? [stored(1, before)] : []);
  expect(found?.sent_discount_amount).toBe(expected);
});
