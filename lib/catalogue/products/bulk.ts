import { identifier, object } from '../../core/schema.ts';
import { bulk, metadataBulk, rowsBody } from '../../kit/bulk/bulk.ts';
import { createItem } from '../../kit/resource/item.ts';
import { product } from './resource.ts';

export const productsBulk = bulk({
  type: 'PRODUCTS.BULK_UPDATE',
  body: rowsBody(object({ ...product.updateBody.entries, source_id: identifier })),
  rows: (rows) => rows,
  subject: ({ source_id }) => source_id,
  named: 'source_id',
  run: (context, row) => createItem(context, product, row),
});

export const productsMetadata = metadataBulk('PRODUCTS.METADATA_UPDATE', (context, row) =>
  createItem(context, product, { ...row }),
);
