import { array, code, object, sentMetadata } from '../core/schema.ts';
import { bulk, maxRows, rowsBody } from '../kit/bulk/bulk.ts';
import { changeVoucherMetadata } from './change-metadata.ts';

export const vouchersBulk = bulk({
  type: 'VOUCHERS.BULK_UPDATE',
  body: rowsBody(object({ code, metadata: sentMetadata })),
  rows: (rows) => rows,
  subject: (row) => row.code,
  named: 'code',
  run: (context, row) => changeVoucherMetadata(context, row.code, row.metadata),
});

export const vouchersMetadata = bulk({
  type: 'VOUCHERS.METADATA_UPDATE',
  body: object({ codes: array(code, maxRows), metadata: sentMetadata }),
  rows: ({ codes }) => codes,
  subject: (one) => one,
  named: 'code',
  run: (context, one, { metadata }) => changeVoucherMetadata(context, one, metadata),
});
