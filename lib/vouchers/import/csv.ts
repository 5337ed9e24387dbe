import type { Writing } from '../../http/context.ts';
import type { RowWriting } from '../../kit/bulk/bulk.ts';
import { type CsvBulk, csvBulk } from '../../kit/bulk/csv-bulk.ts';
import { describedBy } from './described.ts';
import { type ImportedRow, importVouchers, rowsAtOnce } from './import-vouchers.ts';
import { columns, derived, type Row, row, values } from './row.ts';
import { standingOf } from './standing.ts';

/** `campaignId`: the campaign of the path, whatever the row says of its campaign. */
function importedOf({ now }: Writing, sent: Row, campaignId: string | undefined): ImportedRow {
  const { code, active, category, campaign, campaign_id, customer_id, customer_source_id } = sent;
  return {
    code,
    active,
    category,
    ...(campaignId === undefined ? { campaign: { id: campaign_id, name: campaign } } : {}),
    holder: { id: customer_id, source_id: customer_source_id },
    describe: (terms) => describedBy(sent, terms, now),
    asItStands: (item, holderId) => standingOf(item, sent, holderId, now),
  };
}

/** Of a voucher that is known, a row changes the switch and the category. */
function importOf(type: 'VOUCHERS.IMPORT_CSV' | 'CAMPAIGN.VOUCHERS_IMPORT_CSV', isSequence: boolean): CsvBulk {
  const run = (context: RowWriting, rows: readonly Row[], campaignId: string | undefined) =>
    importVouchers(
      context,
      rows.map((one) => importedOf(context, one, campaignId)),
      { campaignId, changesKnown: true },
    );
  return csvBulk({
    type,
    isSequence,
    columns,
    derived,
    values,
    body: row,
    needs: ['code'],
    mayHaveSpaces: true,
    named: 'code',
    shared: ['campaign_id', 'campaign'],
    run: (context, one, campaignId) => run(context, [one], campaignId),
    together: { most: rowsAtOnce, run },
  });
}

export const vouchersCsv = importOf('VOUCHERS.IMPORT_CSV', false);

/** The campaign counts its vouchers: rows at the same time would be in each other's way. */
export const campaignVouchersCsv = importOf('CAMPAIGN.VOUCHERS_IMPORT_CSV', true);
