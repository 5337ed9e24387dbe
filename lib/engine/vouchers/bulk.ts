import * as v from 'valibot';
import { array, code, nullable, object, sentMetadata } from '#kernel/core/schema.ts';
import { bulk, maxRows, rowsBody } from '#kernel/kit/bulk/bulk.ts';
import { changeVoucherBriefly } from './change-metadata.ts';

const row = v.pipe(
  object({ code, metadata: v.optional(sentMetadata), active: nullable(v.boolean()) }),
  v.check(({ metadata, active }) => metadata !== undefined || active !== undefined, 'must have metadata or active'),
);

export const vouchersBulk = bulk({
  type: 'VOUCHERS.BULK_UPDATE',
  body: rowsBody(row),
  rows: (rows) => rows,
  subject: (one) => one.code,
  named: 'code',
  run: (context, { code: one, ...changes }) => changeVoucherBriefly(context, one, changes),
});

export const vouchersMetadata = bulk({
  type: 'VOUCHERS.METADATA_UPDATE',
  body: object({ codes: array(code, maxRows), metadata: sentMetadata }),
  rows: ({ codes }) => codes,
  subject: (one) => one,
  named: 'code',
  run: (context, one, { metadata }) => changeVoucherBriefly(context, one, { metadata }),
});
