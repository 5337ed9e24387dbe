import { foldCode } from '#engine/ledger/codes/voucher-lists.ts';
import { type CsvBulk, type CsvWriting, csvBulk } from '#kernel/kit/bulk/csv-bulk.ts';
import { checkRow, describeRow } from './describe-row.ts';
import { type ImportedRow, importVouchers, rowsAtOnce } from './import-vouchers.ts';
import { derived, row, type VoucherRow, values, voucherColumns } from './row.ts';
import { applyRowFigures } from './row-figures.ts';

/** Builds an imported row. `campaignId` is the campaign of the path, which overrides the campaign of the row. */
function buildRow({ now, form }: CsvWriting, sent: VoucherRow, campaignId: string | undefined): ImportedRow {
  const { id, code, active, category, campaign, campaign_id, customer_id, customer_source_id } = sent;
  return {
    id,
    code,
    active,
    category,
    ...(campaignId === undefined ? { campaign: { id: campaign_id, name: campaign } } : {}),
    holder: { id: customer_id, source_id: customer_source_id },
    describe: (campaign) => describeRow(sent, { campaign, form }, now),
    asItStands: (item, holderId) => applyRowFigures(item, sent, holderId, now),
  };
}

/** A row of a known voucher changes only the switch and the category. */
function buildImport(type: 'VOUCHERS.IMPORT_CSV' | 'CAMPAIGN.VOUCHERS_IMPORT_CSV', isSequence: boolean): CsvBulk {
  const run = (context: CsvWriting, rows: readonly VoucherRow[], campaignId: string | undefined) =>
    importVouchers(
      context,
      rows.map((one) => buildRow(context, one, campaignId)),
      { campaignId, changesKnown: true },
    );
  return csvBulk({
    type,
    isSequence,
    columns: voucherColumns,
    derived,
    values,
    body: row,
    schemas: ['voucher', 'campaign'],
    needs: ['code'],
    unique: { field: 'code', fold: foldCode },
    mayHaveSpaces: true,
    named: 'code',
    shared: ['campaign_id', 'campaign'],
    check: ({ form }, sent) => checkRow(sent, form),
    run: (context, one, campaignId) => run(context, [one], campaignId),
    together: { most: rowsAtOnce, run },
  });
}

export const vouchersCsv = buildImport('VOUCHERS.IMPORT_CSV', false);

/** Concurrent rows would conflict on the campaign's count of vouchers, so they run one after another. */
export const campaignVouchersCsv = buildImport('CAMPAIGN.VOUCHERS_IMPORT_CSV', true);
