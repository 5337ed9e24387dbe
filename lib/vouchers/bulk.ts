import { array, code, object, sentMetadata } from '../core/schema.ts';
import { bulk, maxRows, rowsOf } from '../kit/bulk/bulk.ts';
import { changeMetadata } from './change-metadata.ts';

export const vouchersBulk = bulk({
  type: 'VOUCHERS.BULK_UPDATE',
  body: rowsOf(object({ code, metadata: sentMetadata })),
  rows: (rows) => rows,
  subject: (row) => row.code,
  named: 'code',
  run: (context, row) => changeMetadata(context, row.code, row.metadata),
});

export const vouchersMetadata = bulk({
  type: 'VOUCHERS.METADATA_UPDATE',
  body: object({ codes: array(code, maxRows), metadata: sentMetadata }),
  rows: ({ codes }) => codes,
  subject: (one) => one,
  named: 'code',
  run: (context, one, { metadata }) => changeMetadata(context, one, metadata),
});
