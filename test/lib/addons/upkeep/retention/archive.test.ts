import { expect, test } from 'vitest';
import { writeLine } from '#addons/upkeep/retention/archive.ts';
import { packItem, packLines } from '#engine/checkout/orders/resource.ts';

test('a redemption with many lines is archived with its lines as a list, and without personal data', () => {
  const items = Array.from({ length: 30 }, (_, index) => ({
    product_id: `prod_${index}`,
    quantity: 2,
    amount: 5_000,
    metadata: { engraving: 'for Ada' },
  }));
  const packed = packLines({ id: 'ord_1', amount: 300_000, items });
  expect(packed).toHaveProperty('lines');
  const item = { id: 'r_1', object: 'redemption', order: packed };
  const { order } = JSON.parse(writeLine('redemptions', { item } as unknown as Parameters<typeof writeLine>[1]));
  expect(order.items).toEqual(items.map((line) => ({ ...line, metadata: {} })));
  expect(order).not.toHaveProperty('lines');
});

test('an order of many lines is archived like one that has its lines as a list', () => {
  const items = Array.from({ length: 60 }, (_, index) => ({ quantity: 2, amount: index, metadata: { for: 'Ada' } }));
  const order = { id: 'ord_1', amount: 300_000, items };
  const lineOfOrder = (item: object) => writeLine('orders', { item } as unknown as Parameters<typeof writeLine>[1]);
  expect(packItem(order)).toHaveProperty('lines');
  expect(lineOfOrder(packItem(order))).toBe(lineOfOrder(order));
});
