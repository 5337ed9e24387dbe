import * as v from 'valibot';
import { campaignOr404 } from '../../campaigns/find-campaign.ts';
import { checkLoyaltyCampaign } from '../../campaigns/programme.ts';
import { described } from '../../core/documented.ts';
import { type ErrorKey, ServiceError } from '../../core/errors.ts';
import { object } from '../../core/schema.ts';
import type { Showing } from '../../http/context.ts';
import { type Export, exportReply } from '../../kit/exports/export.ts';
import type { Exported } from '../../kit/exports/exported.ts';
import { exportNote, startExport } from '../../kit/exports/start-export.ts';
import { type MemberPath, memberOfPath } from '../../loyalty/member-of-path.ts';
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

type Body = v.InferOutput<typeof transactionsExportBody>;

const sentIn = ({ parameters, order }: Body) => ({ ...(order === undefined ? {} : { order }), ...parameters });

const ofMoneyOrPoints: readonly string[] = ['GIFT_VOUCHERS', 'LOYALTY_PROGRAM'];

/** 403 for a campaign whose vouchers have no ledger. */
export async function exportCampaignTransactions(context: Showing, idOrName: string, body: Body): Promise<Export> {
  const { id, campaign_type } = await campaignOr404(context, idOrName);
  if (!ofMoneyOrPoints.includes(campaign_type)) {
    throw new ServiceError('forbidden', {
      details: `the campaign must be one of ${ofMoneyOrPoints.join(' or ')}, for others have no transactions`,
      resource: { id, type: 'campaign' },
    });
  }
  return startExport(context, exportedTransactions, sentIn(body), { campaign_id: id });
}

async function exportProgramme(context: Showing, idOrName: string, exported: Exported, body: Body): Promise<Export> {
  const campaign = await campaignOr404(context, idOrName);
  checkLoyaltyCampaign(campaign, idOrName);
  return startExport(context, exported, sentIn(body), { campaign_id: campaign.id });
}

export function exportProgrammeTransactions(context: Showing, idOrName: string, body: Body): Promise<Export> {
  return exportProgramme(context, idOrName, exportedTransactions, body);
}

export function exportProgrammeExpirations(context: Showing, idOrName: string, body: Body): Promise<Export> {
  return exportProgramme(context, idOrName, exportedExpirations, body);
}

export async function exportVoucherTransactions(context: Showing, codeOrId: string, body: Body): Promise<Export> {
  const { id } = await voucherOr404(context, codeOrId);
  return startExport(context, exportedTransactions, sentIn(body), { voucher_id: id });
}

export async function exportMemberTransactions(context: Showing, path: MemberPath, body: Body): Promise<Export> {
  const { id } = await memberOfPath(context, path);
  return startExport(context, exportedTransactions, sentIn(body), { voucher_id: id });
}
