import { expect, test } from 'vitest';
import { type Collection, compileCollections, type LineOfProduct } from '#engine/catalogue/collections/resource.ts';
import type { Product, Sku } from '#engine/catalogue/products/resource.ts';
import { noAreas } from '#kernel/core/geo-point.ts';

const created_at = '2026-01-01T00:00:00.000Z';
const around = { now: new Date(created_at), areas: noAreas };
const mug: Product = { id: 'prod_mug', name: 'Mug', price: 100, created_at };
const cup: Product = { id: 'prod_cup', name: 'Cup', price: 50, created_at };
const small: Sku = { id: 'sku_small', product_id: 'prod_mug', price: 60, created_at };
const large: Sku = { id: 'sku_large', product_id: 'prod_mug', created_at };

const over55 = { junction: 'and', price: { conditions: { $more_than: [55] } } };
const collections: Collection[] = [
  { id: 'mugs', name: '', type: 'STATIC', products: [{ id: 'prod_mug', object: 'product' }], created_at },
  { id: 'small', name: '', type: 'STATIC', products: [{ id: 'sku_small', object: 'sku' }], created_at },
  { id: 'none', name: '', type: 'STATIC', created_at },
  { id: 'dear', name: '', type: 'AUTO_UPDATE', filter: over55, created_at },
];

const collectionsWith = compileCollections(collections, around);

test.each<[string, Product | undefined, Sku | undefined, string[]]>([
  ['a product', mug, undefined, ['mugs', 'dear']],
  ['a product of none', cup, undefined, []],
  ['a SKU that is named and meets the filter', mug, small, ['mugs', 'small', 'dear']],
  ['a SKU of a product that alone meets the filter', mug, large, ['mugs']],
])('the collections of %s are known, whatever its line says', (_, product, sku, expected) => {
  const says = { product: { price: 1_000 }, ...(sku ? { sku: { price: 1_000 } } : {}) };
  const line = { product_id: product?.id, sku_id: sku?.id, ...says };
  expect(collectionsWith({}, { product, sku })).toEqual(['pc_a11pr0dUc75', ...expected]);
  expect(collectionsWith(line, { product, sku })).toEqual(['pc_a11pr0dUc75', ...expected]);
});

const named = (filter: object) =>
  compileCollections(
    [{ id: 'found', name: '', type: 'AUTO_UPDATE', filter: { junction: 'and', ...filter }, created_at }],
    around,
  );
const is = (field: string, value: unknown) => ({ [field]: { conditions: { $is: [value] } } });
const isNot = (field: string, value: unknown) => ({ [field]: { conditions: { $is_not: [value] } } });
const tea = {
  source_id: 'tea',
  product: { id: 'own', name: 'Tea', price: 70, metadata: { leaf: 'green' } },
};
const tin = {
  sku_id: 'tin',
  product: { name: 'Tea', metadata: { leaf: 'green', size: 'any' } },
  sku: { sku: 'Tin', price: 60, metadata: { size: 'L' } },
};

test.each<[string, LineOfProduct, object, boolean]>([
  ['a product by its metadata', tea, is('metadata.leaf', 'green'), true],
  ['a product by other metadata', tea, is('metadata.leaf', 'black'), false],
  ['a product by its name', tea, is('name', 'Tea'), true],
  ['a product by its kind', tea, is('object', 'product'), true],
  ['a product by its id', tea, is('id', 'own'), true],
  ['a product by its source id', tea, is('source_id', 'tea'), true],
  ['a product by its price', tea, is('price', 70), true],
  ['a product that is named alone, by what it lacks', { product_id: 'p' }, isNot('metadata.leaf', 'green'), true],
  ['a SKU by its metadata', tin, is('metadata.size', 'L'), true],
  ["a SKU by its own metadata, which override its product's", tin, isNot('metadata.size', 'L'), false],
  ['a SKU by metadata of its product', tin, is('metadata.leaf', 'green'), true],
  ['a SKU by its name', tin, is('name', 'Tin'), true],
  ['a SKU by its price', tin, is('price', 60), true],
  ['a SKU by its kind', tin, is('object', 'sku'), true],
  ['a SKU by its product', { ...tin, product_id: 'p' }, is('product_id', 'p'), true],
  ['a SKU that a source id names', { source_id: 's', related_object: 'sku' }, is('object', 'sku'), true],
  ['a line that names nothing', {}, isNot('price', 70), false],
])('a filter finds, of what nobody stores, %s', (_, line, filter, isFound) => {
  expect(named(filter)(line, {})).toEqual(['pc_a11pr0dUc75', ...(isFound ? ['found'] : [])]);
});

test('a SKU that is not stored belongs to the collections of its stored product, or of its line', () => {
  const line = { sku_id: 'tin', sku: { metadata: { size: 'L' } } };
  expect(collectionsWith(line, { product: mug })).toContain('dear');
  expect(named(is('metadata.size', 'L'))(line, { product: mug })).toContain('found');
  expect(named(is('metadata.size', 'L'))({ sku_id: 'tin' }, { product: mug })).not.toContain('found');
});

test('a collection that names its products has none that are not stored', () => {
  expect(collectionsWith({ product_id: 'prod_mug', product: { id: 'prod_mug' } }, {})).toEqual(['pc_a11pr0dUc75']);
});
