import { campaignNames, campaigns } from '#engine/campaigns/campaign.ts';
import { checkLoyaltyCampaign } from '#engine/campaigns/programme.ts';
import { voucherIds } from '#engine/ledger/codes/voucher-lists.ts';
import { findByFormerId, type VoucherItem, vouchers } from '#engine/vouchers/voucher.ts';
import { notFound } from '#kernel/core/errors.ts';
import type { Showing } from '#kernel/http/context.ts';
import { read } from '#kernel/table/read.ts';
import { cardOr404, findCard } from './find-card.ts';

/** Names a member in a path: by a card of the named programme, or by any card. */
export interface MemberPath {
  readonly campaignId?: string;
  readonly memberId: string;
}

/** Returns the card of the path, by code or id. 404 `campaign` if the programme is missing, 404 `voucher` if it has no such card. */
export async function memberOr404(context: Showing, { campaignId, memberId }: MemberPath): Promise<VoucherItem> {
  if (campaignId === undefined) return findCard(context, memberId);
  const { table, project } = context;
  const { byId, byName, named } = await read(table, {
    byId: campaigns(project.id, campaignId),
    byName: campaignNames(project.id, campaignId),
    named: voucherIds(project, memberId).map((id) => vouchers(project.id, id)),
  });
  const campaign = byId ?? (byName && (await read(table, { own: campaigns(project.id, byName.campaign_id) })).own);
  if (!campaign) throw notFound('campaign', campaignId);
  checkLoyaltyCampaign(campaign, campaignId);
  const found = named.find((one) => one !== undefined);
  const card = cardOr404(found ?? (await findByFormerId(context, memberId)), memberId);
  if (card.campaign_id !== campaign.id) throw notFound('voucher', memberId);
  return card;
}
