import { columnsCalled, csvBulk, minorUnits } from '../bulk/csv-bulk.ts';
import { createItem } from '../resource/item.ts';
import { identifier, object } from '../schema.ts';
import { product, sku } from './resource.ts';

/** Names with commas between them, in quotes. */
function listOf(cell: string): string[] {
  return cell
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}

/** An object as JSON, without what no object may have; anything else is refused as the text that it is. */
function objectOf(cell: string): unknown {
  try {
    return JSON.parse(cell, (key, value) => (key === '__proto__' ? undefined : value));
  } catch {
    return cell;
  }
}

export const productsCsv = csvBulk({
  type: 'PRODUCTS.IMPORT_CSV',
  columns: columnsCalled('id', 'source_id', 'name', 'price', 'attributes', 'image_url'),
  needs: ['source_id', 'id', 'name'],
  mayHaveSpaces: true,
  values: { price: minorUnits, attributes: listOf },
  body: product.createBody,
  run: (context, row) => createItem(context, product, row),
});

export const skusCsv = csvBulk({
  type: 'SKUS.IMPORT_CSV',
  columns: columnsCalled('id', 'source_id', 'product_id', 'sku', 'price', 'currency', 'attributes', 'image_url'),
  needs: ['product_id'],
  mayHaveSpaces: true,
  values: { price: minorUnits, attributes: objectOf },
  body: object({ ...sku.createBody.entries, product_id: identifier }),
  run: (context, { product_id, ...row }) => createItem(context, sku, row, product_id),
});
