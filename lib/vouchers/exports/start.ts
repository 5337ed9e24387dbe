import * as v from 'valibot';
import { campaignOr404 } from '../../campaigns/find-campaign.ts';
import { described } from '../../core/documented.ts';
import { type ErrorKey, ServiceError } from '../../core/errors.ts';
import { object } from '../../core/schema.ts';
import type { Showing } from '../../http/context.ts';
import { type Export, exportReply } from '../../kit/exports/export.ts';
import type { Exported } from '../../kit/exports/exported.ts';
import { exportNote, startExport } from '../../kit/exports/start-export.ts';
import { voucherOr404 } from '../find-voucher.ts';
import { exportedExpirations } from './expirations.ts';
import { exportedTransactions } from './transactions.ts';

/** Some clients send the order beside the parameters, which win. */
function bodyOf({ parameters, order }: Exported) {
  const body = object({
    parameters: v.optional(parameters),
    order: v.optional(described(order, 'As in `parameters`, where it wins.')),
  });
  return v.optional(body, {});
}

export const transactionsExportBody = bodyOf(exportedTransactions);
export const expirationsExportBody = bodyOf(exportedExpirations);

/** What the exports of a campaign, a voucher and a member say alike. */
export const exportingTransactions = {
  note: exportNote,
  body: transactionsExportBody,
  answers: 'The export, which is made behind the request.',
  reply: exportReply,
  errors: ['not_found', 'invalid_export_fields'] satisfies ErrorKey[],
};

/** Of each of their examples. */
export const transactionsExample = { parameters: { fields: ['type', 'amount', 'balance', 'created_at'] } };

export type ExportBody = v.InferOutput<typeof transactionsExportBody>;

/** Returns what a request sends, as the parameters of an export. */
export const sentIn = ({ parameters, order }: ExportBody) => ({
  ...(order === undefined ? {} : { order }),
  ...parameters,
});

const ofMoneyOrPoints: readonly string[] = ['GIFT_VOUCHERS', 'LOYALTY_PROGRAM'];

/** 403 for a campaign whose vouchers have no ledger. */
export async function exportCampaignTransactions(
  context: Showing,
  idOrName: string,
  body: ExportBody,
): Promise<Export> {
  const { id, campaign_type } = await campaignOr404(context, idOrName);
  if (!ofMoneyOrPoints.includes(campaign_type)) {
    throw new ServiceError('forbidden', {
      details: `the campaign must be one of ${ofMoneyOrPoints.join(' or ')}, for others have no transactions`,
      resource: { id, type: 'campaign' },
    });
  }
  return startExport(context, exportedTransactions, sentIn(body), { campaign_id: id });
}

export async function exportVoucherTransactions(context: Showing, codeOrId: string, body: ExportBody): Promise<Export> {
  const { id } = await voucherOr404(context, codeOrId);
  return startExport(context, exportedTransactions, sentIn(body), { voucher_id: id });
}
