import { expect, test } from 'vitest';
import { clearFields } from '#addons/upkeep/erasure/clear-fields.ts';
import { listFieldsToErase } from '#addons/upkeep/erasure/personal-data.ts';
import { packItem, packLines, unpackLines } from '#engine/checkout/orders/resource.ts';

const line = (index: number, more: object = {}) => ({ source_id: `line-${index}`, quantity: 1, price: 500, ...more });
const orderOf = (count: number, more: (index: number) => object = () => ({})) => ({
  id: 'ord_1',
  metadata: { note: 'x' },
  items: Array.from({ length: count }, (_, index) => line(index, more(index))),
});
const sizeOf = (value: unknown) => JSON.stringify(value).length;

test('thirty lines take a quarter of their size, and are read unchanged', () => {
  const order = orderOf(30);
  expect(sizeOf(packLines(order))).toBeLessThan(sizeOf(order) / 4);
  expect(unpackLines(packLines(order))).toEqual(order);
});

test('few lines are stored as a list, like lines of older versions', () => {
  const order = orderOf(3);
  expect(packLines(order)).toEqual(order);
  expect(unpackLines(orderOf(30))).toEqual(orderOf(30));
  expect([unpackLines(undefined), unpackLines({ id: 'ord_1' })]).toEqual([undefined, { id: 'ord_1' }]);
});

test('metadata of packed lines can be erased', () => {
  const order = orderOf(30, (index) => (index % 2 ? { metadata: { gift_for: 'Ada' } } : {}));
  expect(unpackLines(packLines(order))).toEqual(order);
  const { order: erased } = clearFields({ order: packLines(order) }, listFieldsToErase('REDEMPTION'));
  expect(JSON.stringify(unpackLines(erased))).not.toContain('Ada');
  expect(unpackLines(erased)).toMatchObject({ items: orderOf(30).items });
});

test('an order stores its lines packed, with a quantity beside them if lines have metadata, and all are read unchanged', () => {
  expect(packItem(orderOf(30))).toMatchObject({ items: [], lines: expect.any(String) });
  expect(unpackLines(packItem(orderOf(30)))).toEqual(orderOf(30));
  const gifts = orderOf(30, (index) => (index % 2 ? { metadata: { gift_for: 'Ada' } } : {}));
  expect(packItem(gifts).items.slice(0, 2)).toEqual([{ quantity: 1 }, { quantity: 1, metadata: { gift_for: 'Ada' } }]);
  expect(unpackLines(packItem(gifts))).toEqual(gifts);
  const erased = clearFields(packItem(gifts), listFieldsToErase('ORDER'));
  expect(JSON.stringify(unpackLines(erased))).not.toContain('Ada');
  expect(packItem(orderOf(3))).toEqual(orderOf(3));
});
