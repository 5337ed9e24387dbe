import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compileBundles } from '#engine/rules/bundle.ts';
import type { RuleLine } from '#engine/rules/context.ts';

/** Makes a part of a bundle: this quantity of any of these. */
const of = (quantity: number, ...ids: string[]) => ({
  name: 'order.items.any',
  conditions: { $is: ids.map((id) => ({ id, object: id.startsWith('pc_') ? 'products_collection' : 'product' })) },
  rules: { '1': { name: 'order.items.aggregated_quantity', conditions: { $is: [quantity] } } },
});

interface Wanted {
  limit: number;
  components: ReturnType<typeof of>[];
}

function bundlesIn(lines: readonly RuleLine[], { limit, components }: Wanted) {
  return compileBundles({ bundle_rules: { limit, ...components } })?.(lines);
}

const line = (product_id: string, quantity: number, ...collections: string[]): RuleLine => ({
  product_id,
  quantity,
  collections,
});

describe('bundles in a cart', () => {
  test.each<[string, RuleLine[], Wanted, number]>([
    [
      'are as many as all parts allow',
      [line('a', 5), line('b', 2)],
      { limit: 9, components: [of(2, 'a'), of(1, 'b')] },
      2,
    ],
    ['are at most the limit', [line('a', 5)], { limit: 3, components: [of(1, 'a')] }, 3],
    ['are none if a part is missing', [line('a', 5)], { limit: 9, components: [of(1, 'a'), of(1, 'b')] }, 0],
    ['take units of several lines', [line('a', 1), line('b', 1)], { limit: 9, components: [of(2, 'a', 'b')] }, 1],
    ['take each unit once', [line('a', 1, 'pc_1')], { limit: 9, components: [of(1, 'a'), of(1, 'pc_1')] }, 0],
    [
      'leave a unit to the part that needs it',
      [line('a', 1, 'pc_1'), line('b', 1, 'pc_1')],
      { limit: 9, components: [of(1, 'pc_1'), of(1, 'a')] },
      1,
    ],
    [
      'leave it over several parts',
      [line('a', 1, 'pc_1', 'pc_2'), line('b', 1, 'pc_1', 'pc_3'), line('c', 1, 'pc_3')],
      { limit: 9, components: [of(1, 'pc_1'), of(1, 'pc_3'), of(1, 'pc_2')] },
      1,
    ],
  ])('%s', (_, lines, rules, quantity) => {
    expect(bundlesIn(lines, rules)?.quantity).toBe(quantity);
  });

  test('say which units they have, and which are missing', () => {
    const rules = { limit: 2, components: [of(1, 'a'), of(2, 'pc_1')] };
    expect(bundlesIn([line('a', 5), line('b', 3, 'pc_1')], rules)).toEqual({
      quantity: 1,
      limit: 2,
      identified: [
        { id: 'a', object: 'product', item_index: 0, item_quantity: 1 },
        { id: 'pc_1', object: 'products_collection', item_index: 1, item_quantity: 2 },
      ],
      missing: [],
    });
    expect(bundlesIn([line('b', 1, 'pc_1')], rules)).toMatchObject({
      quantity: 0,
      identified: [{ id: 'pc_1', item_index: 0, item_quantity: 1 }],
      missing: [
        { id: 'a', object: 'product', item_quantity: 1 },
        { id: 'pc_1', object: 'products_collection', item_quantity: 1 },
      ],
    });
  });

  /** Tries all ways to find a different unit for each needed unit. */
  function isComplete(units: readonly ReadonlySet<string>[], needed: readonly string[]): boolean {
    const [first, ...rest] = needed;
    if (first === undefined) return true;
    return units.some((unit, place) => unit.has(first) && isComplete(units.toSpliced(place, 1), rest));
  }

  test('are as many as trying all ways finds', () => {
    const collections = fc.subarray(['pc_1', 'pc_2', 'pc_3'], { minLength: 1 });
    const lines = fc.array(fc.tuple(fc.integer({ min: 1, max: 2 }), collections), { maxLength: 4, size: 'max' });
    const components = fc.array(fc.tuple(fc.integer({ min: 1, max: 2 }), fc.constantFrom('pc_1', 'pc_2', 'pc_3')), {
      minLength: 1,
      maxLength: 3,
    });
    fc.assert(
      fc.property(lines, components, (cart, parts) => {
        const cartLines = cart.map(([quantity, ids]) => line('a', quantity, ...ids));
        const rules = { limit: 3, components: parts.map(([quantity, id]) => of(quantity, id)) };
        const units = cart.flatMap(([quantity, ids]) => Array.from({ length: quantity }, () => new Set<string>(ids)));
        const one = parts.flatMap(([quantity, id]) => Array.from({ length: quantity }, () => id));
        const all = [1, 2, 3].filter((count) => count * one.length <= units.length);
        const expected = all.filter((count) =>
          isComplete(units, Array.from({ length: count }, () => one).flat()),
        ).length;
        expect(bundlesIn(cartLines, rules)?.quantity).toBe(expected);
      }),
      { numRuns: process.env.LONG_TESTS ? 10_000 : 300, seed: 20_261_122 },
    );
  });
});
