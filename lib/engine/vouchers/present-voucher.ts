import { type CampaignTerms, listCategoryIds, readTermsWithCategories } from '#engine/campaigns/campaign-terms.ts';
import { readCardCounters } from '#engine/ledger/counters.ts';
import { readCardFigures } from '#engine/ledger/lots.ts';
import { type Categories, findCountingCategory, findCountingId } from '#engine/rules/categories/resource.ts';
import { inheritValidity } from '#engine/rules/validity/validity.ts';
import type { Project } from '#kernel/access/projects/project.ts';
import { defined } from '#kernel/core/defined.ts';
import { wrapList } from '#kernel/core/schema.ts';
import type { Showing } from '#kernel/http/context.ts';
import { type AssetKind, sealAssetId } from './asset-id.ts';
import { readExactFigures } from './exact-figures.ts';
import { giftFigures, isReferralCode, type Voucher, type VoucherItem } from './voucher.ts';

interface Surroundings {
  project: Project;
  campaign: CampaignTerms | undefined;
  categories: Categories;
  now: Date;
  /** Holds the address of this API, without a slash at the end. */
  baseUrl: string;
}

/** Returns the voucher as shown, with what it inherits (docs/campaigns.md#inheritance). */
export function presentVoucher(
  item: VoucherItem,
  { project, campaign, categories, now, baseUrl }: Surroundings,
): Voucher {
  const categoryIds = listCategoryIds(item, campaign);
  const category = findCountingCategory(categories, categoryIds);
  // The rules of its campaign apply together with its own.
  const assignments = [...item.validation_rules_assignments, ...(campaign?.validation_rules_assignments ?? [])];
  const isCard = item.type === 'LOYALTY_CARD';
  const isGift = item.type === 'GIFT_VOUCHER';
  const isReferral = isReferralCode(item, campaign);
  const { validity_hours, ...validity } = inheritValidity(item, campaign);
  // The holder of a referral code is its referrer.
  const referrerId = item.referrer_id ?? (isReferral ? item.holder_id : undefined);
  const path = `/v1/vouchers/${encodeURIComponent(item.code)}`;
  const asset = (kind: AssetKind) => {
    const id = sealAssetId(project, kind, item.code);
    return { id, url: `${baseUrl}/v1/assets/${kind}/${id}` };
  };

  return {
    id: item.id,
    code: item.code,
    campaign: campaign?.name ?? null,
    campaign_id: item.campaign_id ?? null,
    category: category?.name ?? null,
    category_id: findCountingId(categories, categoryIds) ?? null,
    categories: category ? [category] : [],
    type: item.type,
    discount: item.type === 'DISCOUNT_VOUCHER' ? (item.discount ?? campaign?.voucher?.discount ?? null) : null,
    gift: isGift ? giftFigures(item) : null,
    loyalty_card: isCard
      ? { ...readCardFigures(item.credited_points, item.lots, now), ...readCardCounters(item, now) }
      : null,
    ...validity,
    ...defined({ validity_hours: validity_hours ?? undefined }),
    active: item.active ?? null,
    additional_info: item.additional_info ?? null,
    metadata: item.metadata,
    assets: { qr: asset('qr'), barcode: asset('barcode') },
    is_referral_code: isReferral,
    created_at: item.created_at,
    updated_at: item.updated_at ?? null,
    ...defined({ holder_id: item.holder_id ?? undefined, referrer_id: referrerId ?? undefined }),
    object: 'voucher',
    publish: { object: 'list', count: item.publish_count, url: `${path}/publications?page=1&limit=10` },
    redemption: {
      quantity: item.redemption_quantity ?? null,
      redeemed_quantity: item.redeemed_quantity,
      ...(isCard ? { redeemed_points: item.redeemed_points } : {}),
      ...(isGift ? { redeemed_amount: item.redeemed_amount } : {}),
      object: 'list',
      url: `${path}/redemptions?page=1&limit=10`,
    },
    validation_rules_assignments: wrapList(assignments),
  };
}

/** Shows vouchers with what they inherit. Reads each campaign and category once. Leaves out vouchers of deleted campaigns. */
export async function showVouchers(context: Showing, items: readonly VoucherItem[]): Promise<Voucher[]> {
  const { campaigns, categories } = await readTermsWithCategories(context, items);
  const all = items.map((item) => ({ item, campaign: campaigns.get(item.campaign_id ?? '') }));
  const there = all.filter(({ item, campaign }) => campaign || !item.campaign_id);
  const counted = await Promise.all(
    there.map(async ({ item, campaign }) => ({ campaign, item: await readExactFigures(context, item) })),
  );
  return counted.map(({ item, campaign }) => presentVoucher(item, { ...context, campaign, categories }));
}
