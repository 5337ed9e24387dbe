import { describe, expect, test } from 'vitest';
import { compileRule } from '#engine/rules/compile.ts';
import type { RuleLine } from '#engine/rules/context.ts';
import type { RuleDocument } from '#engine/rules/shape.ts';

const now = new Date('2026-03-15T12:00:00Z');

describe('the scope of a discount', () => {
  const one = { product_id: 'prod_1', quantity: 1, price: 1 };
  const other = { ...one, product_id: 'prod_2' };
  const product = { object: 'product', id: 'prod_1' } as const;
  const olderForm = { rules: { '1': { name: 'product.discount_applicable', conditions: { $is: ['prod_1'] } } } };
  const olderFormFrom = { rules: { '1': { name: 'sku.discount_applicable', conditions: { $from: ['pc_1'] } } } };
  const inCollection = { ...one, collections: ['pc_1'] };
  const collection = { object: 'products_collection', id: 'pc_1', effect: 'APPLY_TO_EVERY' } as const;

  test.each<[string, RuleDocument, RuleLine, object | undefined]>([
    ['every line without entries', {}, one, {}],
    ['every line if it has no entries', { applicable_to: { included: [product] } }, one, { entry: product }],
    ['no other line', { applicable_to: { included: [product] } }, other, undefined],
    [
      'the SKUs of a product',
      { applicable_to: { included: [product] } },
      { ...one, sku_id: 'sku_1' },
      { entry: product },
    ],
    [
      'one SKU alone',
      { applicable_to: { included: [{ object: 'sku', id: 'sku_1' }] } },
      { ...one, sku_id: 'sku_2' },
      undefined,
    ],
    [
      'the own id of a product',
      { applicable_to: { included: [{ object: 'product', source_id: 'own' }] } },
      { quantity: 1, source_id: 'own' },
      { entry: { object: 'product', source_id: 'own' } },
    ],
    [
      'a product before its collection',
      { applicable_to: { included: [collection, product] } },
      inCollection,
      { entry: product },
    ],
    ['a collection', { applicable_to: { included: [collection] } }, inCollection, { entry: collection }],
    ['all but what is excluded', { applicable_to: { included_all: true, excluded: [product] } }, other, {}],
    [
      'nothing that is excluded',
      { applicable_to: { included: [product], excluded: [collection] } },
      inCollection,
      undefined,
    ],
    ['the lines of the older form', olderForm, one, {}],
    ['nothing beside the older form', olderForm, other, undefined],
    ['the collections of the older form', olderFormFrom, inCollection, {}],
    ['nothing beside the collections of the older form', olderFormFrom, one, undefined],
  ])('is %s', (_, document, line, found) => {
    expect(compileRule(document).applicableBy(line, { now })).toEqual(found);
  });
});
