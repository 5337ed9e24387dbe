import { campaignOr404 } from '#engine/campaigns/find-campaign.ts';
import { checkLoyaltyCampaign } from '#engine/campaigns/programme.ts';
import { exportedExpirations } from '#engine/vouchers/exports/expirations.ts';
import { type ExportBody, readParameters } from '#engine/vouchers/exports/start-transactions-export.ts';
import { exportedTransactions } from '#engine/vouchers/exports/transactions.ts';
import type { Showing } from '#kernel/http/context.ts';
import type { Export } from '#kernel/kit/exports/export.ts';
import type { ExportedObject } from '#kernel/kit/exports/exported-object.ts';
import { startExport } from '#kernel/kit/exports/start-export.ts';
import { type MemberPath, memberOr404 } from './member-path.ts';

/** Starts exports of a programme's cards. */

async function exportProgramme(
  context: Showing,
  idOrName: string,
  exported: ExportedObject,
  body: ExportBody,
): Promise<Export> {
  const campaign = await campaignOr404(context, idOrName);
  checkLoyaltyCampaign(campaign, idOrName);
  return startExport(context, exported, readParameters(body), { campaign_id: campaign.id });
}

export function exportProgrammeTransactions(context: Showing, idOrName: string, body: ExportBody): Promise<Export> {
  return exportProgramme(context, idOrName, exportedTransactions, body);
}

export function exportProgrammeExpirations(context: Showing, idOrName: string, body: ExportBody): Promise<Export> {
  return exportProgramme(context, idOrName, exportedExpirations, body);
}

export async function exportMemberTransactions(context: Showing, path: MemberPath, body: ExportBody): Promise<Export> {
  const { id } = await memberOr404(context, path);
  return startExport(context, exportedTransactions, readParameters(body), { voucher_id: id });
}
