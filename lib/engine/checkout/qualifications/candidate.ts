import type { CampaignTerms } from '#engine/campaigns/campaign-terms.ts';
import type { PromotionStack, PromotionTierItem } from '#engine/campaigns/promotions/promotion-tier.ts';
import { type Categories, noCategories } from '#engine/rules/categories/resource.ts';
import { type VoucherItem, voucherItem } from '#engine/vouchers/voucher.ts';
import type { FilterFields } from '#kernel/kit/filters/fields.ts';
import { type Attributes, parseStored } from '#kernel/table/item.ts';
import { findTargetCategoryId, type Target } from '../request/targets.ts';

/** A candidate: a voucher, a promotion tier, a stack of tiers, or a campaign that gives codes. */
export interface Candidate {
  readonly object: 'voucher' | 'promotion_tier' | 'promotion_stack' | 'campaign';
  /** The name in replies, which is the code of a voucher. */
  readonly id: string;
  readonly created_at: string;
  readonly campaign: CampaignTerms | undefined;
  /** The sources for the engine. A campaign counts as one of its codes. */
  readonly target: Target;
  readonly holderRole?: HolderRole | undefined;
  readonly stack?: StackedTiers;
}

interface StackedTiers extends Pick<PromotionStack, 'name'> {
  /** The tiers in the order of application. */
  readonly tiers: readonly Candidate[];
}

export type HolderRole = 'OWNER' | 'REFERRER' | 'REFEREE';

/** Makes a candidate of a tier. `stack` is the stack that contains it. */
export function makeTierCandidate(
  tier: PromotionTierItem,
  campaign: CampaignTerms | undefined,
  stack?: Pick<PromotionStack, 'category_id'>,
): Candidate {
  const { id, created_at } = tier;
  return {
    object: 'promotion_tier',
    id,
    created_at,
    campaign,
    target: { asked: { object: 'promotion_tier', id, ...(stack ? { stack } : {}) }, tier },
  };
}

/** Makes a candidate of a voucher. `stored` has locks and holds. */
export function makeVoucherCandidate(
  { voucher, stored }: { voucher: VoucherItem; stored: Attributes },
  campaign: CampaignTerms | undefined,
  holderRole?: HolderRole,
): Candidate {
  const { code, created_at } = voucher;
  const target: Target = { asked: { object: 'voucher', id: code }, stored, voucher };
  return { object: 'voucher', id: code, created_at, campaign, target, holderRole };
}

/** Makes a candidate of a stack. `undefined` means that a tier or the campaign was deleted. */
export function makeStackCandidate(
  { id, created_at, campaign_id, tiers: { ids }, name, category_id }: PromotionStack,
  tierOf: (id: string) => Candidate | undefined,
): Candidate | undefined {
  const tiers = ids.flatMap((tier) => tierOf(tier) ?? []);
  const { campaign } = tiers.find((tier) => tier.campaign?.id === campaign_id) ?? {};
  if (tiers.length < ids.length || !campaign) return undefined;
  const target: Target = { asked: { object: 'promotion_tier', id, stack: { category_id } } };
  return { object: 'promotion_stack', id, created_at, campaign, target, stack: { name, tiers } };
}

const types = {
  DISCOUNT_COUPONS: 'DISCOUNT_VOUCHER',
  REFERRAL_PROGRAM: 'DISCOUNT_VOUCHER',
  GIFT_VOUCHERS: 'GIFT_VOUCHER',
} as const;

/** Returns whether the campaign gives codes that customers use on a cart. */
export function canGiveCodes({ campaign_type }: Pick<CampaignTerms, 'campaign_type'>): boolean {
  return Object.hasOwn(types, campaign_type);
}

/** Makes a candidate of a campaign, as one of its codes. */
export function makeCampaignCandidate(campaign: CampaignTerms): Candidate {
  const { id, created_at, campaign_type, voucher: given } = campaign;
  const voucher = parseStored(voucherItem, {
    id,
    code: id,
    type: campaign_type === 'GIFT_VOUCHERS' ? types.GIFT_VOUCHERS : types.DISCOUNT_COUPONS,
    campaign_id: id,
    created_at,
    gift: given?.gift,
  });
  return { object: 'campaign', id, created_at, campaign, target: { asked: { object: 'voucher', id }, voucher } };
}

/** The fields for callers' filters. */
export const filterFields: FilterFields<Candidate> = {
  category_id: {
    type: 'text',
    at: ({ target, campaign }: Candidate) => findTargetCategoryId(target, campaign, noCategories),
  },
  campaign_id: { type: 'text', at: ({ campaign }: Candidate) => campaign?.id },
  campaign_type: { type: 'text', at: ({ campaign }: Candidate) => campaign?.campaign_type },
  resource_id: { type: 'text', at: ({ id, target }: Candidate) => target.voucher?.id ?? id },
  resource_type: { type: 'text', at: ({ object }: Candidate) => object },
  voucher_type: { type: 'text', at: ({ target }: Candidate) => target.voucher?.type },
  code: { type: 'text', at: ({ object, id }: Candidate) => (object === 'voucher' ? id : undefined) },
  holder_role: { type: 'text', at: ({ holderRole }: Candidate) => holderRole },
};

/** Returns the fields with the categories that were read. A deleted category is ignored. */
export function buildFilterFields(categories: Categories): FilterFields<Candidate> {
  const at = ({ target, campaign }: Candidate) => findTargetCategoryId(target, campaign, categories);
  return { ...filterFields, category_id: { type: 'text', at } };
}
