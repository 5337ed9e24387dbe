import type { CampaignItem } from '../campaigns/campaign.ts';
import type { Category } from '../campaigns/category.ts';
import type { Project } from '../projects/project.ts';
import { list } from '../schema.ts';
import { type AssetKind, assetId } from './asset-id.ts';
import { cardFigures } from './lots.ts';
import { isReferralCode } from './referral-code.ts';
import type { Voucher, VoucherItem } from './voucher.ts';

interface Surroundings {
  project: Project;
  campaign: CampaignItem | undefined;
  /** The project's categories, by id. */
  categories: Readonly<Record<string, Category>>;
  now: Date;
  /** Where this API is reached, without a slash at the end. */
  baseUrl: string;
}

/** The voucher as the interface shows it, with what it has not of its own taken from its campaign (ruling D.7). */
export function presentVoucher(
  item: VoucherItem,
  { project, campaign, categories, now, baseUrl }: Surroundings,
): Voucher {
  const categoryId = item.category_id ?? campaign?.category_id ?? null;
  const category = categoryId === null ? undefined : categories[categoryId];
  const assignments = item.validation_rules_assignments.length
    ? item.validation_rules_assignments
    : (campaign?.validation_rules_assignments ?? []);
  const validityHours = item.validity_hours ?? campaign?.validity_hours;
  const isCard = item.type === 'LOYALTY_CARD';
  const isGift = item.type === 'GIFT_VOUCHER';
  const path = `/v1/vouchers/${encodeURIComponent(item.code)}`;
  const asset = (kind: AssetKind) => {
    const id = assetId(project, kind, item.code);
    return { id, url: `${baseUrl}/v1/assets/${kind}/${id}` };
  };

  return {
    id: item.id,
    code: item.code,
    campaign: campaign?.name ?? null,
    campaign_id: item.campaign_id ?? null,
    category: category?.name ?? null,
    category_id: categoryId,
    categories: category ? [category] : [],
    type: item.type,
    discount: item.type === 'DISCOUNT_VOUCHER' ? (item.discount ?? campaign?.voucher?.discount ?? null) : null,
    gift: isGift && item.gift ? { ...item.gift, balance: item.gift_balance ?? item.gift.amount } : null,
    loyalty_card: isCard ? cardFigures(item.credited_points, item.lots, now) : null,
    start_date: item.start_date ?? campaign?.start_date ?? null,
    expiration_date: item.expiration_date ?? campaign?.expiration_date ?? null,
    validity_timeframe: item.validity_timeframe ?? campaign?.validity_timeframe ?? null,
    validity_day_of_week: item.validity_day_of_week ?? campaign?.validity_day_of_week ?? null,
    ...(validityHours ? { validity_hours: validityHours } : {}),
    active: item.active ?? null,
    additional_info: item.additional_info ?? null,
    metadata: item.metadata,
    assets: { qr: asset('qr'), barcode: asset('barcode') },
    is_referral_code: isReferralCode(item, campaign),
    created_at: item.created_at,
    ...(item.updated_at ? { updated_at: item.updated_at } : {}),
    ...(item.holder_id ? { holder_id: item.holder_id } : {}),
    ...(item.referrer_id ? { referrer_id: item.referrer_id } : {}),
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
    validation_rules_assignments: list(assignments),
  };
}
