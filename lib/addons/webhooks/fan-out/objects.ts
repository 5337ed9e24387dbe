import type { CampaignItem } from '#engine/campaigns/campaign.ts';
import { type BriefCustomer, presentBriefly } from '#engine/customers/brief-customer.ts';
import { customers } from '#engine/customers/customer.ts';
import { showVouchers } from '#engine/vouchers/present-voucher.ts';
import type { Voucher, VoucherItem } from '#engine/vouchers/voucher.ts';
import type { Showing } from '#kernel/http/context.ts';
import { read } from '#kernel/table/read.ts';

/** Shows objects as the payloads of several kinds of events have them. */

/** Shows a campaign without its figures. */
export function showBriefCampaign(item: CampaignItem) {
  const { id, name, campaign_type, type, voucher, auto_join, join_once, active, category_id, metadata } = item;
  const { start_date = null, expiration_date = null, description, created_at, updated_at = null } = item;
  return {
    ...{ id, name, campaign_type, type, auto_join, join_once, active, category_id, metadata },
    is_referral_code: voucher?.is_referral_code ?? campaign_type === 'REFERRAL_PROGRAM',
    ...(voucher ? { voucher } : {}),
    ...(description === undefined ? {} : { description }),
    ...{ start_date, expiration_date, created_at, updated_at },
    object: 'campaign',
  };
}

/** Shows the customer, if it exists. */
export async function showHolder(
  { table, project }: Showing,
  id: string | null | undefined,
): Promise<BriefCustomer | undefined> {
  const { found } = await read(table, { found: id ? customers(project.id, id) : undefined });
  return found && presentBriefly(found);
}

/** Shows the voucher with inherited fields. A voucher of a deleted campaign has only its own fields. */
export async function showVoucherOf(
  context: Showing,
  item: VoucherItem,
): Promise<Voucher | { id: string; code: string; object: 'voucher' }> {
  const [shown] = await showVouchers(context, [item]);
  return shown ?? { id: item.id, code: item.code, object: 'voucher' };
}
