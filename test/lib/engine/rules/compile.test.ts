import { describe, expect, test } from 'vitest';
import { findDocumentFaults } from '#engine/rules/check.ts';
import { compileRule } from '#engine/rules/compile.ts';
import type { RuleContext, RuleLine } from '#engine/rules/context.ts';
import { mergeNeeds } from '#engine/rules/needs.ts';
import type { RuleDocument } from '#engine/rules/shape.ts';

const now = new Date('2026-03-15T12:00:00Z');

function judged(document: RuleDocument, part: Omit<RuleContext, 'now'> = {}) {
  expect([...findDocumentFaults(document)]).toEqual([]);
  return compileRule(document).judge({ now, ...part });
}

const amount = (least: number, error?: string) => ({
  name: 'order.amount',
  conditions: { $more_than_or_equal: [least] },
  ...(error === undefined ? {} : { error: { message: error } }),
});
const order = (amount: number, ...items: RuleLine[]) => ({ order: { amount, items } });
const line = (product_id: string, quantity: number, price: number): RuleLine => ({ product_id, quantity, price });

describe('a rule that is not met', () => {
  const segment = { name: 'customer.segment', conditions: { $is: ['seg_1'] } };

  test('shows its name, the value that it saw, and the key of its group', () => {
    expect(
      judged({ rules: { a: amount(10), b: segment } }, { ...order(10), customer: { segments: ['seg_2'] } }),
    ).toEqual({
      met: false,
      key: 'customer_rules_violated',
      failed: { rule: 'rules.b', name: 'customer.segment', property: undefined, value: ['seg_2'] },
      message: undefined,
    });
  });

  test('is the first failing one in the order of the logic', () => {
    const rules = { a: amount(10), b: segment, logic: 'b and a' };
    expect(judged({ rules }, order(1))).toMatchObject({ key: 'missing_customer', failed: { rule: 'rules.b' } });
    expect(judged({ rules: { ...rules, logic: 'a or b' } }, order(1))).toMatchObject({ failed: { rule: 'rules.a' } });
  });

  test.each<[string | undefined, string | undefined, string | undefined, string | undefined]>([
    ['inner', 'outer', 'document', 'inner'],
    [undefined, 'outer', 'document', 'outer'],
    [undefined, undefined, 'document', 'document'],
    [undefined, undefined, undefined, undefined],
  ])('has the nearest words of %s, %s, %s: %s', (inner, outer, own, told) => {
    const rules = { a: { ...amount(1, outer), rules: { b: amount(10, inner) } } };
    const document = { rules, ...(own === undefined ? {} : { error: { message: own } }) };
    expect(judged(document, order(5))).toMatchObject({ failed: { rule: 'rules.a.rules.b' }, message: told });
  });

  test('is traced with the others, each alone', () => {
    const { trace } = compileRule({ rules: { a: amount(10), b: amount(1), logic: 'b' } });
    expect(trace({ now, ...order(5) })).toEqual([
      { rule: 'rules.a', met: false, failed: { rule: 'rules.a', name: 'order.amount', property: undefined, value: 5 } },
      { rule: 'rules.b', met: true },
    ]);
  });
});

describe('rules within rules', () => {
  const document = {
    rules: {
      '1': {
        name: 'order.items.any',
        conditions: { $in: ['prod_1', 'prod_2'] },
        rules: {
          '1': { name: 'order.items.quantity', conditions: { $more_than: [1] } },
          '2': {
            name: 'order.items.price',
            conditions: { $less_than: [100] },
            rules: { x: { name: 'order.items.aggregated_quantity', conditions: { $is: [5] } } },
          },
          logic: '1 or 2',
        },
      },
    },
  };

  test.each<[boolean, RuleLine[]]>([
    [true, [line('prod_1', 2, 500)]],
    [false, [line('prod_1', 1, 50), line('prod_3', 5, 50)]],
    [true, [line('prod_1', 1, 50), line('prod_2', 4, 500)]],
    [false, [line('prod_1', 1, 500), line('prod_2', 1, 500)]],
  ])('are about the lines that the outer rule has chosen: %s', (met, items) => {
    expect(judged(document, order(0, ...items)).met).toBe(met);
  });

  test('check lines by quantifier: every line must match, or none may', () => {
    const of = (quantifier: string) => ({
      rules: {
        '1': {
          name: `order.items.${quantifier}`,
          conditions: { $is: ['prod_1'] },
          rules: { '1': { name: 'order.items.quantity', conditions: { $more_than: [1] } } },
        },
      },
    });
    expect(judged(of('every'), order(0, line('prod_1', 2, 1))).met).toBe(true);
    expect(judged(of('every'), order(0, line('prod_1', 2, 1), line('prod_1', 1, 1))).met).toBe(false);
    expect(judged(of('none'), order(0, line('prod_1', 1, 1), line('prod_2', 2, 1))).met).toBe(true);
    expect(judged(of('none'), order(0, line('prod_1', 2, 1))).met).toBe(false);
  });

  test('see the lines of the product that a product rule has found', () => {
    const rules = {
      '1': {
        name: 'product.metadata',
        property: 'colour',
        conditions: { $is: ['red'] },
        rules: { '1': { name: 'product.metadata.aggregated_quantity', property: 'colour', conditions: { $is: [2] } } },
      },
    };
    const coloured = (colour: string) => ({ ...line('prod', 2, 1), product: { metadata: { colour } } });
    expect(judged({ rules }, order(0, coloured('red'), coloured('blue'))).met).toBe(true);
  });
});

describe('the data that a rule needs', () => {
  test('is named by its rules, its bundles and its scope, and by nothing else', () => {
    const collection = { id: 'pc_3', type: 'products_collection' };
    const part = { name: 'order.items.aggregated_quantity', conditions: { $is: [1] } };
    const needs = compileRule({
      rules: {
        '1': { name: 'customer.segment', conditions: { $in: ['seg_1', 'seg_2'] } },
        '2': {
          name: 'order.items.any',
          conditions: { $is: ['pc_1', 'prod_1', { id: 'pc_no', object: 'product' }], $from: ['own'] },
          rules: { '1': { name: 'order.items.quantity', conditions: { $is: [1] } } },
        },
        '3': { name: 'redemption.count.daily', conditions: { $less_than_or_equal: [1] } },
        '4': { name: 'order.metadata', property: 'x', conditions: { $is: ['pc_9'], $in_location: ['loc_quay'] } },
      },
      bundle_rules: { '1': { name: 'order.items.any', conditions: { $is: [collection] }, rules: { '1': part } } },
      applicable_to: {
        included: [{ object: 'products_collection', id: 'pc_4' }],
        excluded: [{ object: 'product', id: 'prod_2' }],
      },
    }).needs;
    expect(needs).toEqual({
      segments: new Set(['seg_1', 'seg_2']),
      collections: new Set(['pc_1', 'own', 'pc_3', 'pc_4']),
      locations: new Set(['loc_quay']),
      counters: new Set(['redemption.count.daily']),
      loyaltyTiers: false,
    });
    const other = compileRule({ rules: { '1': { name: 'customer.loyalty.tier', conditions: { $is: ['ltr_1'] } } } });
    expect(mergeNeeds([needs, other.needs])).toEqual({ ...needs, loyaltyTiers: true });
  });
});

describe('bundles', () => {
  test('are not required by empty bundle rules', () => {
    const { bundles, judge } = compileRule({ bundle_rules: {} });
    expect([bundles, judge({ now: new Date() }).met]).toEqual([undefined, true]);
  });

  const part = (id: string, units: number, type = 'product_or_sku') => ({
    name: 'order.items.any',
    conditions: { $is: [{ id, type, ...(type === 'product_or_sku' ? { object: 'product' } : {}) }] },
    rules: { '1': { name: 'order.items.aggregated_quantity', conditions: { $is: [units] } }, logic: '1' },
  });
  const bundle_rules = {
    limit: 2,
    '1': part('pc_1', 2, 'products_collection'),
    '2': part('prod_1', 1),
    logic: '1 and 2',
  };
  const of = (product_id: string, quantity: number): RuleLine => ({
    ...line(product_id, quantity, 1),
    collections: ['pc_1'],
  });

  test.each<[number, RuleLine[]]>([
    [0, []],
    [0, [of('prod_1', 2)]],
    [1, [of('prod_1', 3)]],
    [1, [of('prod_1', 1), of('prod_2', 4)]],
    [2, [of('prod_1', 2), of('prod_2', 4)]],
    [2, [of('prod_1', 9), of('prod_2', 9)]],
  ])('%i are complete, and each unit is in one of them', (quantity, items) => {
    const { bundles, judge } = compileRule({ bundle_rules });
    const found = bundles?.(items);
    expect(found).toMatchObject({ quantity, limit: 2 });
    const used = found?.identified.reduce((sum, one) => sum + one.item_quantity, 0) ?? 0;
    if (quantity > 0) expect(used).toBe(quantity * 3);
    const verdict = judge({ now, order: { items } });
    expect(verdict).toMatchObject(quantity > 0 ? { met: true } : { key: 'order_rules_violated', failed: { value: 0 } });
  });

  test('name the first missing part', () => {
    const found = compileRule({ bundle_rules }).bundles?.([of('prod_1', 2)]);
    expect(found?.missing).toEqual([{ id: 'pc_1', object: 'products_collection', item_quantity: 1 }]);
    expect(found?.identified).toEqual([
      { id: 'prod_1', object: 'product', item_index: 0, item_quantity: 1 },
      { id: 'pc_1', object: 'products_collection', item_index: 0, item_quantity: 1 },
    ]);
  });
});

test.each<[string, object]>([
  ['a name', { '1': { name: 'order.colour', conditions: { $is: ['red'] } } }],
  ['an operator', { '1': { name: 'order.amount', conditions: { $nearly: [5] } } }],
  [
    'a name within a negation',
    {
      '1': {
        name: 'order.items.none',
        conditions: { $is: ['prod_1'] },
        rules: { '1': { name: 'order.items.colour', conditions: { $is: [1] } } },
      },
    },
  ],
  ['a word of logic', { '1': amount(0), logic: 'not 1' }],
  ['a form', { '1': 'always' }],
])('a stored rule with %s of a later version is never met', (_, rules) => {
  expect(compileRule({ rules: { ...rules } }).judge({ now, ...order(10) })).toMatchObject({ met: false });
});
