import * as v from 'valibot';
import { campaignOr404 } from '#engine/campaigns/find-campaign.ts';
import { defined } from '#kernel/core/defined.ts';
import { described } from '#kernel/core/documented.ts';
import { type ErrorKey, ServiceError } from '#kernel/core/errors.ts';
import { object } from '#kernel/core/schema.ts';
import type { Showing } from '#kernel/http/context.ts';
import { type Export, exportReply } from '#kernel/kit/exports/export.ts';
import { type ExportedObject, sentBom } from '#kernel/kit/exports/exported-object.ts';
import { exportNote, startExport } from '#kernel/kit/exports/start-export.ts';
import { voucherOr404 } from '../find-voucher.ts';
import { exportedExpirations } from './expirations.ts';
import { exportedTransactions } from './transactions.ts';

/** Describes the body of an export. Some clients send the order outside the parameters, which win. */
function buildBody({ parameters, order }: ExportedObject) {
  const body = object({
    parameters: v.optional(parameters),
    order: v.optional(described(order, 'The order of the entries. The `order` in `parameters` wins over it.')),
    ...sentBom,
  });
  return v.optional(body, {});
}

const transactionsExportBody = buildBody(exportedTransactions);
export const expirationsExportBody = buildBody(exportedExpirations);

/** The exports of a campaign, a voucher and a member share this description. */
export const exportingTransactions = {
  note: exportNote,
  body: transactionsExportBody,
  answers: 'The export. Its file is written after the reply.',
  reply: exportReply,
  errors: ['not_found', 'invalid_export_fields'] satisfies ErrorKey[],
};

/** The example of each of these exports sends this body. */
export const transactionsExample = { parameters: { fields: ['type', 'amount', 'balance', 'created_at'] } };

export type ExportBody = v.InferOutput<typeof transactionsExportBody>;

/** Returns the sent values as the parameters of an export. */
export const readParameters = ({ parameters, order, bom }: ExportBody) => ({
  ...defined({ order, bom }),
  ...parameters,
});

const ofMoneyOrPoints: readonly string[] = ['GIFT_VOUCHERS', 'LOYALTY_PROGRAM'];

/** Starts an export. Answers 403 for a campaign that has no transactions. */
export async function exportCampaignTransactions(
  context: Showing,
  idOrName: string,
  body: ExportBody,
): Promise<Export> {
  const { id, campaign_type } = await campaignOr404(context, idOrName);
  if (!ofMoneyOrPoints.includes(campaign_type)) {
    throw new ServiceError('forbidden', {
      details: `the campaign must have the campaign_type ${ofMoneyOrPoints.join(' or ')}: other campaigns have no transactions`,
      resource: { id, type: 'campaign' },
    });
  }
  return startExport(context, exportedTransactions, readParameters(body), { campaign_id: id });
}

export async function exportVoucherTransactions(context: Showing, codeOrId: string, body: ExportBody): Promise<Export> {
  const { id } = await voucherOr404(context, codeOrId);
  return startExport(context, exportedTransactions, readParameters(body), { voucher_id: id });
}
