import { expect, test } from 'vitest';
import { collectionsOf } from '../../../lib/collections/membership.ts';
import type { Collection } from '../../../lib/collections/resource.ts';
import type { Product, Sku } from '../../../lib/products/resource.ts';

const created_at = '2026-01-01T00:00:00.000Z';
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

test.each<[string, Product | undefined, Sku | undefined, string[]]>([
  ['a product', mug, undefined, ['mugs', 'dear']],
  ['a product of none', cup, undefined, []],
  ['a SKU that is named and meets the filter', mug, small, ['mugs', 'small', 'dear']],
  ['a SKU whose product alone meets the filter', mug, large, ['mugs']],
  ['what only a request knows', undefined, undefined, []],
])('of %s the collections are known', (_, product, sku, expected) => {
  const collectionsWith = collectionsOf(collections, new Date(created_at));
  expect(collectionsWith(product, sku)).toEqual(['pc_a11pr0dUc75', ...expected]);
});
