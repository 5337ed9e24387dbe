import * as v from 'valibot';
import { described } from '../../core/documented.ts';
import { code, nullable, object, text } from '../../core/schema.ts';
import { bulk, rowsBody } from '../../kit/bulk/bulk.ts';
import { importedDate } from '../../kit/bulk/csv-cells.ts';
import { chooseType } from '../new-voucher.ts';
import { voucherType } from '../voucher.ts';
import { type NewVoucher, newVoucherFields } from '../voucher-body.ts';
import { type ImportedRow, importVouchers, rowsAtOnce } from './import-vouchers.ts';

const importedRow = object({
  ...newVoucherFields,
  code: described(nullable(code), 'Unique in the project and among the rows.'),
  type: nullable(voucherType),
  start_date: importedDate,
  expiration_date: importedDate,
});

export const importBody = rowsBody(importedRow);

type Row = v.InferOutput<typeof importedRow>;

function buildRow({ code, category, category_id, ...row }: Row): ImportedRow {
  return {
    code: code ?? '',
    category,
    category_id,
    describe: (campaign): Omit<NewVoucher, 'code' | 'category_id'> => ({ ...row, type: chooseType(row, campaign) }),
  };
}

const kept = object({ campaign_id: v.optional(text), rows: importBody });

/** Imports rows of JSON: new vouchers, with or without a campaign. */
function buildImport(type: 'VOUCHERS.IMPORT' | 'CAMPAIGN.VOUCHERS_IMPORT', isSequence: boolean) {
  const importing = (campaignId: string | undefined) => ({ campaignId, changesKnown: false });
  return bulk({
    type,
    body: kept,
    rows: ({ rows }) => rows,
    subject: (row) => row.code ?? undefined,
    named: 'code',
    isSequence,
    run: async (context, row, { campaign_id }) => importVouchers(context, [buildRow(row)], importing(campaign_id)),
    together: {
      most: rowsAtOnce,
      run: async (context, rows, { campaign_id }) =>
        importVouchers(context, rows.map(buildRow), importing(campaign_id)),
    },
  });
}

export const vouchersImport = buildImport('VOUCHERS.IMPORT', false);

/** Concurrent rows would meet on the campaign's count of vouchers, so they run one after the other. */
export const campaignVouchersImport = buildImport('CAMPAIGN.VOUCHERS_IMPORT', true);
