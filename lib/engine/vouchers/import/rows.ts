import * as v from 'valibot';
import { endDay, startDay } from '#kernel/core/day-bounds.ts';
import { described, shownAs } from '#kernel/core/documented.ts';
import { code, nullable, object, text } from '#kernel/core/schema.ts';
import type { Writing } from '#kernel/http/context.ts';
import { dateOrTime, looseDateTime } from '#kernel/http/page.ts';
import { bulk, rowsBody } from '#kernel/kit/bulk/bulk.ts';
import { chooseType } from '../new-voucher.ts';
import { voucherType } from '../voucher.ts';
import { type NewVoucher, newVoucherFields } from '../voucher-body.ts';
import { type ImportedRow, importVouchers, rowsAtOnce } from './import-vouchers.ts';

/** A date, or a date and time. Clients that check the format accept no date without a time. */
const sentTime = nullable(shownAs(v.pipe(dateOrTime), { type: 'string' }));

const importedRow = object({
  ...newVoucherFields,
  code: described(nullable(code), 'Unique in the project and among the rows.'),
  type: nullable(voucherType),
  start_date: sentTime,
  expiration_date: sentTime,
});

export const importBody = rowsBody(importedRow);

type Row = v.InferOutput<typeof importedRow>;

/** Reads a time without an offset as UTC. A date means its first or last moment in the project's zone. */
function readTime(sent: string | null | undefined, ofDay: typeof startDay, zone: Date): string | null | undefined {
  return sent && v.parse(looseDateTime, ofDay(sent, zone));
}

function buildRow({ now }: Writing, { code, category, category_id, ...sent }: Row): ImportedRow {
  const row = {
    ...sent,
    start_date: readTime(sent.start_date, startDay, now),
    expiration_date: readTime(sent.expiration_date, endDay, now),
  };
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
    run: async (context, row, { campaign_id }) =>
      importVouchers(context, [buildRow(context, row)], importing(campaign_id)),
    together: {
      most: rowsAtOnce,
      run: async (context, rows, { campaign_id }) =>
        importVouchers(
          context,
          rows.map((row) => buildRow(context, row)),
          importing(campaign_id),
        ),
    },
  });
}

export const vouchersImport = buildImport('VOUCHERS.IMPORT', false);

/** Concurrent rows would conflict on the campaign's count of vouchers, so they run one after another. */
export const campaignVouchersImport = buildImport('CAMPAIGN.VOUCHERS_IMPORT', true);
