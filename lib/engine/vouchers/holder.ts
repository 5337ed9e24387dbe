import * as v from 'valibot';
import { campaignType } from '#engine/campaigns/campaign.ts';
import { dateTime } from '#kernel/core/schema.ts';
import type { Reading } from '#kernel/http/context.ts';
import { kind } from '#kernel/table/kind.ts';
import { kinds } from '#kernel/table/kind-names.ts';
import { read } from '#kernel/table/read.ts';
import { voucherType } from './voucher.ts';

/** Defines the facts about a holder that vouchers need. The room of customers imports vouchers and defines the rest. */

export const holders = kind(kinds.customer, v.object({ id: v.string(), source_id: v.nullish(v.string()) }));
export const holderSources = kind(kinds.customerSource, v.object({ customer_id: v.string() }));

/** Returns the id of the customer with this id or source id. The id wins. */
export async function findHolderId(
  { table, project }: Pick<Reading, 'table' | 'project'>,
  idOrSourceId: string,
): Promise<string | undefined> {
  const { byId, source } = await read(table, {
    byId: holders(project.id, idOrSourceId),
    source: holderSources(project.id, idOrSourceId),
  });
  if (byId || !source) return byId?.id;
  return (await read(table, { holder: holders(project.id, source.customer_id) })).holder?.id;
}

/** Replies show these fields of a holding, in a customer's wallet and among a referral code's holders. */
export const holderFields = {
  id: v.string(),
  created_at: dateTime,
  redeemable_id: v.string(),
  redeemable_object: v.literal('voucher'),
  customer_id: v.string(),
  holder_role: v.picklist(['OWNER', 'REFERRER', 'REFEREE']),
  campaign_id: v.nullable(v.string()),
  /** Is `null` for a voucher without a campaign. */
  campaign_type: v.nullable(campaignType),
  voucher_type: voucherType,
};
