import { voucherLists } from '#engine/ledger/codes/voucher-lists.ts';
import type { ExportScope, Within } from '#kernel/kit/exports/exported-object.ts';
import { vouchers } from '../voucher.ts';

/** Returns one voucher, or the list of a campaign's vouchers. */
export function chooseVouchers(projectId: string, { voucher_id: id, campaign_id }: ExportScope): Within {
  if (id !== undefined) return { only: { key: vouchers(projectId, id), at: id, listed: { id } } };
  return { list: voucherLists.ofCampaign, owner: [projectId, campaign_id ?? ''] };
}
