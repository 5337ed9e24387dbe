import { describe, expect, test } from 'vitest';
import { type Conditions, cart, namesWithin, type Part, verdictOf } from './verdict.ts';

describe('within a rule about items', () => {
  type InItems = [name: string, property: string | null, conditions: Conditions, those: Part, other: Part];
  const ofOne = { product_id: 'prod_1' };
  const inRows: InItems[] = [
    ['order.items.quantity', null, { $is: [2] }, cart({ ...ofOne, quantity: 2 }), cart(ofOne, ofOne, { quantity: 2 })],
    ['order.items.price', null, { $is: [5] }, cart({ ...ofOne, price: 5 }), cart({ price: 5 }, ofOne)],
    [
      'order.items.aggregated_quantity',
      null,
      { $is: [3] },
      cart(ofOne, { ...ofOne, quantity: 2 }, { quantity: 9 }),
      cart(ofOne, { quantity: 2 }),
    ],
    [
      'order.items.aggregated_amount',
      null,
      { $is: [30] },
      cart({ ...ofOne, amount: 10 }, { ...ofOne, price: 10, quantity: 2 }),
      cart({ ...ofOne, amount: 10 }, { amount: 20 }),
    ],
    [
      'order.items.metadata',
      'x',
      { $is: [1] },
      cart({ ...ofOne, metadata: { x: 1 } }),
      cart(ofOne, { metadata: { x: 1 } }),
    ],
  ];

  test.each(inRows)('%s is about the lines in the set', (name, property, conditions, those, other) => {
    const rule = {
      name: 'order.items.any',
      conditions: { $is: ['prod_1'] },
      rules: { a: { name, property, conditions } },
    };
    expect(verdictOf(rule, those)).toEqual({ met: true });
    expect(verdictOf(rule, other)).toMatchObject({ met: false, failed: { rule: 'rules.1.rules.a', name } });
  });

  test('every name has a row', () => {
    expect(inRows.map(([name]) => name).sort()).toEqual(namesWithin.toSorted());
  });
});
