import { identifier, object } from '#kernel/core/schema.ts';
import { bulk, metadataBulk, type RowWriting, rowsBody } from '#kernel/kit/bulk/bulk.ts';
import { noteCreated } from '#kernel/kit/bulk/report.ts';
import { createItem } from '#kernel/kit/resource/item.ts';
import type { Values } from '#kernel/kit/resource/shape.ts';
import { product } from './resource.ts';

function upsert(context: RowWriting, row: Values) {
  return createItem(context, product, row, { ifNew: [noteCreated(context)] });
}

export const productsBulk = bulk({
  type: 'PRODUCTS.BULK_UPDATE',
  body: rowsBody(object({ ...product.updateBody.entries, source_id: identifier })),
  rows: (rows) => rows,
  subject: ({ source_id }) => source_id,
  named: 'source_id',
  run: upsert,
});

export const productsMetadata = metadataBulk('PRODUCTS.METADATA_UPDATE', (context, row) => upsert(context, { ...row }));
