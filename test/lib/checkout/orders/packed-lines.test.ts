import { expect, test } from 'vitest';
import { fieldsToErase } from '../../../../lib/background/erasure/personal-data.ts';
import { withoutFields } from '../../../../lib/background/erasure/without-fields.ts';
import { packLines, unpackLines } from '../../../../lib/checkout/orders/packed-lines.ts';

const line = (index: number, more: object = {}) => ({ source_id: `line-${index}`, quantity: 1, price: 500, ...more });
const orderOf = (count: number, more: (index: number) => object = () => ({})) => ({
  id: 'ord_1',
  metadata: { note: 'x' },
  items: Array.from({ length: count }, (_, index) => line(index, more(index))),
});
const sizeOf = (value: unknown) => JSON.stringify(value).length;

test('thirty lines take a quarter of their size, and are read as they were', () => {
  const order = orderOf(30);
  expect(sizeOf(packLines(order))).toBeLessThan(sizeOf(order) / 4);
  expect(unpackLines(packLines(order))).toEqual(order);
});

test('few lines are stored as a list, and so are lines that were stored before', () => {
  const order = orderOf(3);
  expect(packLines(order)).toEqual(order);
  expect(unpackLines(orderOf(30))).toEqual(orderOf(30));
  expect([unpackLines(undefined), unpackLines({ id: 'ord_1' })]).toEqual([undefined, { id: 'ord_1' }]);
});

test('metadata of packed lines can be erased', () => {
  const order = orderOf(30, (index) => (index % 2 ? { metadata: { gift_for: 'Ada' } } : {}));
  expect(unpackLines(packLines(order))).toEqual(order);
  const { order: erased } = withoutFields({ order: packLines(order) }, fieldsToErase('REDEMPTION'));
  expect(JSON.stringify(unpackLines(erased))).not.toContain('Ada');
  expect(unpackLines(erased)).toMatchObject({ items: orderOf(30).items });
});
