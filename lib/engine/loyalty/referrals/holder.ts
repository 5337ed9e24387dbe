import * as v from 'valibot';
import { type CampaignTerms, readTerms } from '#engine/campaigns/campaign-terms.ts';
import { findCampaign } from '#engine/campaigns/find-campaign.ts';
import { voucherOr404 } from '#engine/vouchers/find-voucher.ts';
import { buildHolding, listedHolding } from '#engine/vouchers/held-card.ts';
import { holderFields } from '#engine/vouchers/holder.ts';
import type { Referee } from '#engine/vouchers/referee.ts';
import { isReferralCode, type VoucherItem } from '#engine/vouchers/voucher.ts';
import { named } from '#kernel/core/documented.ts';
import { notFound } from '#kernel/core/errors.ts';
import { metadata } from '#kernel/core/schema.ts';
import type { Showing } from '#kernel/http/context.ts';
import { parseStored } from '#kernel/table/item.ts';

export const holder = named(
  'RedeemableHolder',
  v.object({
    ...holderFields,
    metadata: v.optional(metadata),
    object: v.literal('redeemable_holder'),
  }),
);

/** A referral code with its programme. */
export interface ReferralCode {
  readonly item: VoucherItem;
  readonly campaign: CampaignTerms | undefined;
}

/** Names a code in a path: by code or id, and in some paths with its campaign by name or id. */
export interface NamedCode {
  readonly memberId: string;
  readonly campaignId?: string;
}

/**
 * Finds a referral code. 404 for another voucher, for a code of another campaign, and for a campaign that is not a
 * referral programme.
 */
export async function referralCodeOr404(context: Showing, { memberId, campaignId }: NamedCode): Promise<ReferralCode> {
  const programme = campaignId === undefined ? undefined : (await findCampaign(context, campaignId)).item;
  if (programme && programme.campaign_type !== 'REFERRAL_PROGRAM') throw notFound('campaign', programme.id);
  const item = await voucherOr404(context, memberId);
  const campaign = (await readTerms(context, [item.campaign_id])).get(item.campaign_id ?? '');
  const isGone = Boolean(item.campaign_id) && !campaign;
  const isOfAnother = programme !== undefined && item.campaign_id !== programme.id;
  if (isGone || isOfAnother || !isReferralCode(item, campaign)) throw notFound('voucher', memberId);
  return { item, campaign };
}

/** A holder of a code, with the role. */
export interface ReferralHolding extends Pick<Referee, 'id' | 'customer_id' | 'created_at' | 'metadata'> {
  readonly role: 'REFERRER' | 'REFEREE';
}

const stored = v.object({ listed: listedHolding });

/** Returns the referrer, if any. They hold the code like any other voucher. */
export async function findReferrer(
  { table, project }: Showing,
  { item }: ReferralCode,
): Promise<ReferralHolding | undefined> {
  if (!item.holder_id) return undefined;
  const { key, item: made } = buildHolding(project.id, item.holder_id, item);
  const [found = made] = await table.getMany([key]);
  const { id, created_at } = parseStored(stored, found).listed;
  return { id, created_at, customer_id: item.holder_id, role: 'REFERRER' };
}

export function presentHolder({ role, metadata, ...one }: ReferralHolding, { item, campaign }: ReferralCode) {
  return {
    id: one.id,
    created_at: one.created_at,
    redeemable_id: item.id,
    redeemable_object: 'voucher' as const,
    customer_id: one.customer_id,
    holder_role: role,
    campaign_id: item.campaign_id ?? null,
    campaign_type: campaign?.campaign_type ?? null,
    voucher_type: item.type,
    ...(metadata ? { metadata } : {}),
    object: 'redeemable_holder' as const,
  };
}
