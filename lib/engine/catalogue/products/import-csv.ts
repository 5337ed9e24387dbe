import { identifier, object } from '#kernel/core/schema.ts';
import { type CsvWriting, csvBulk, nameColumns } from '#kernel/kit/bulk/csv-bulk.ts';
import { ageCells, importedAges, parseJson, parseList, parseMinorUnits, readAges } from '#kernel/kit/bulk/csv-cells.ts';
import { importItem } from '#kernel/kit/resource/item.ts';
import { product, sku } from './resource.ts';

const dates = ['created_at', 'updated_at'];

function importing({ now, tally }: CsvWriting, ages: Parameters<typeof readAges>[0]) {
  return { ages: readAges(ages, now), tally };
}

export const productsCsv = csvBulk({
  type: 'PRODUCTS.IMPORT_CSV',
  columns: nameColumns('id', 'source_id', 'name', 'price', 'attributes', 'image_url', ...dates),
  needs: ['source_id', 'id', 'name'],
  mayHaveSpaces: true,
  values: { ...ageCells, price: parseMinorUnits, attributes: parseList },
  body: object({ ...product.createBody.entries, ...importedAges }),
  schemas: ['product'],
  run: (context, { created_at, updated_at, ...row }) =>
    importItem(context, product, row, importing(context, { created_at, updated_at })),
});

export const skusCsv = csvBulk({
  type: 'SKUS.IMPORT_CSV',
  columns: nameColumns(
    ...['id', 'source_id', 'product_id', 'sku', 'price', 'currency', 'attributes', 'image_url'],
    ...dates,
  ),
  needs: ['product_id'],
  mayHaveSpaces: true,
  values: { ...ageCells, price: parseMinorUnits, attributes: parseJson },
  body: object({ ...sku.createBody.entries, ...importedAges, product_id: identifier }),
  schemas: ['product'],
  run: (context, { product_id, created_at, updated_at, ...row }) =>
    importItem(context, sku, row, { ...importing(context, { created_at, updated_at }), parentName: product_id }),
});
