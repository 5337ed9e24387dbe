import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { computeFigures, type OrderAmounts, type SentFigures } from '#engine/checkout/orders/figures.ts';
import { type Catalogue, type OrderLine, prepareLine, type SentLine } from '#engine/checkout/orders/line.ts';
import { ServiceError } from '#kernel/core/errors.ts';

const max = Number.MAX_SAFE_INTEGER;

const tea = { id: 'prod_tea', source_id: 'tea', name: 'Tea', price: 500 };
const tin = { id: 'sku_tin', source_id: 'tin', product_id: 'prod_tea', sku: 'Tin', price: 700 };
const bag = { id: 'sku_bag', source_id: 'bag', product_id: 'prod_tea', sku: 'Bag' };

const catalogue: Catalogue = {
  product: (name) => [tea].find(({ id, source_id }) => [id, source_id].includes(name)),
  sku: (name) => [tin, bag].find(({ id, source_id }) => [id, source_id].includes(name)),
};

const line = (sent: SentLine) => prepareLine(sent, catalogue);

describe('a line of an order', () => {
  test.each<[string, SentLine, Partial<OrderLine>]>([
    ['has the price that is sent', { product_id: 'tea', price: 9, product: { price: 8 } }, { price: 9, amount: 9 }],
    [
      'else has the price of the product sent with it',
      { sku_id: 'tin', sku: { price: 7 }, product: { price: 8 } },
      { price: 7 },
    ],
    ['else has the price of the stored SKU', { product_id: 'tea', product: { price: 8 } }, { price: 8 }],
    [
      "else has the price of the SKU's product",
      { sku_id: 'tin', quantity: 3 },
      { price: 700, amount: 2100, sku_id: 'sku_tin' },
    ],
    ['else has the price of the stored SKU', { sku_id: 'bag', quantity: 2 }, { price: 500, amount: 1000 }],
    ["else has the price of the SKU's product", { product_id: 'prod_tea', quantity: 2 }, { price: 500, amount: 1000 }],
    [
      'is known by a source id, as a product',
      { source_id: 'tea' },
      { product_id: 'prod_tea', related_object: 'product' },
    ],
    [
      'or as a SKU, which leads to its product',
      { source_id: 'tin', related_object: 'sku' },
      { product_id: 'prod_tea', sku_id: 'sku_tin' },
    ],
    ['is known by its product’s source id', { product: { source_id: 'tea' } }, { product_id: 'prod_tea', price: 500 }],
    [
      'keeps an amount beside a price that says otherwise',
      { price: 10, quantity: 3, amount: 25 },
      { price: 10, amount: 25, subtotal_amount: 25 },
    ],
    ['counts once without a quantity', { price: 10 }, { quantity: 1, amount: 10 }],
    ['may cost nothing', { price: 0, quantity: 3 }, { amount: 0, subtotal_amount: 0 }],
    [
      'is discounted by what it costs at most',
      { amount: 25, discount_amount: 30 },
      { discount_amount: 25, subtotal_amount: 0 },
    ],
  ])('%s', (_, sent, expected) => {
    expect(line(sent)).toMatchObject(expected);
  });

  test('stays unchanged if nothing about it is known, with its product and without money', () => {
    const sent = {
      product_id: 'prod_no',
      quantity: 2,
      discount_amount: 5,
      product: { name: 'Cake' },
      metadata: { a: 1 },
    };
    expect(line(sent)).toEqual({
      object: 'order_item',
      product_id: 'prod_no',
      quantity: 2,
      product: { name: 'Cake' },
      metadata: { a: 1 },
    });
  });

  test('shows the stored product, with the fields that were sent instead', () => {
    expect(
      line({ sku_id: 'tin', product: { name: 'Green tea', override: true }, sku: { metadata: { a: 1 } } }),
    ).toMatchObject({
      product: { id: 'prod_tea', source_id: 'tea', name: 'Green tea', price: 500 },
      sku: { id: 'sku_tin', source_id: 'tin', sku: 'Tin', price: 700, metadata: { a: 1 } },
    });
  });
});

type Line = Pick<OrderLine, 'amount' | 'discount_amount'>;

describe('figures of an order', () => {
  test.each<[string, Line[], SentFigures, OrderAmounts]>([
    ['are missing if nothing has a price', [{}], { discount_amount: 5 }, {}],
    ['are its amount alone', [], { amount: 100 }, { amount: 100, total_amount: 100 }],
    [
      'sum its lines, those without money left out',
      [{ amount: 100 }, {}, { amount: 50 }],
      {},
      { amount: 150, initial_amount: 150, total_amount: 150 },
    ],
    [
      'follow the amount that is sent, though the lines cost something else',
      [{ amount: 100 }],
      { amount: 90, initial_amount: 80 },
      { amount: 90, initial_amount: 80, total_amount: 90 },
    ],
    [
      'have the discounts of order and lines, and their sum',
      [{ amount: 100, discount_amount: 30 }, { amount: 50 }],
      { discount_amount: 20 },
      {
        amount: 150,
        initial_amount: 150,
        discount_amount: 20,
        items_discount_amount: 30,
        total_discount_amount: 50,
        total_amount: 100,
      },
    ],
    [
      'take off the whole order at most what the lines leave',
      [{ amount: 100, discount_amount: 30 }],
      { discount_amount: 90 },
      {
        amount: 100,
        initial_amount: 100,
        discount_amount: 70,
        items_discount_amount: 30,
        total_discount_amount: 100,
        total_amount: 0,
      },
    ],
    ['leave out a discount of 0', [], { amount: 100, discount_amount: 0 }, { amount: 100, total_amount: 100 }],
  ])('%s', (_, items, sent, expected) => {
    expect(computeFigures(items, sent)).toEqual(expected);
  });

  test.each<[string, SentLine[], string]>([
    ['a line', [{ price: 1 }, { price: max, quantity: 2 }], 'items[1].price'],
    ['all lines together', [{ price: max }, { price: 1 }], 'items must cost'],
  ])('are refused if %s would cost more than can be counted', (_, items, place) => {
    const figures = () => computeFigures(items.map(line), {});
    expect(figures).toThrow(ServiceError);
    expect(figures).toThrow(expect.objectContaining({ details: expect.stringContaining(place) }));
  });

  test('are safe integers from 0 that add up, for any request', () => {
    const money = fc.option(fc.oneof(fc.nat(), fc.constantFrom(0, max)), { nil: undefined });
    const lines = fc.array(
      fc.record({
        price: money,
        amount: money,
        quantity: fc.option(fc.nat(9), { nil: undefined }),
        discount_amount: money,
      }),
      { maxLength: 5 },
    );
    fc.assert(
      fc.property(lines, fc.record({ amount: money, discount_amount: money }), (sent, order) => {
        const items = sent.map(line);
        let figures: OrderAmounts;
        try {
          figures = computeFigures(items, order);
        } catch (error) {
          return error instanceof ServiceError && error.key === 'invalid_payload';
        }
        const { amount = 0, discount_amount = 0, items_discount_amount = 0, total_amount = 0 } = figures;
        for (const value of [
          ...Object.values(figures),
          ...items.flatMap(({ subtotal_amount = 0 }) => subtotal_amount),
        ]) {
          expect(Number.isSafeInteger(value) && value >= 0).toBe(true);
        }
        expect(figures.total_discount_amount ?? 0).toBe(discount_amount + items_discount_amount);
        expect(total_amount).toBe(Math.max(0, amount - discount_amount - items_discount_amount));
        return true;
      }),
    );
  });
});
