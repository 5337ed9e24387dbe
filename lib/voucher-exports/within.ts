import { voucherLists } from '../codes/voucher-lists.ts';
import type { ExportScope, Within } from '../exports/exported.ts';
import { vouchers } from '../vouchers/voucher.ts';

/** One voucher, or those of a campaign. */
export function vouchersWithin(projectId: string, { voucher_id: id, campaign_id }: ExportScope): Within {
  if (id !== undefined) return { only: { key: vouchers(projectId, id), at: id, listed: { id } } };
  return { list: voucherLists.ofCampaign, owner: [projectId, campaign_id ?? ''] };
}
