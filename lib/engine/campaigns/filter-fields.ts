import { type Categories, findCountingCategory, findCountingId } from '#engine/rules/categories/resource.ts';
import type { FilterFields } from '#kernel/kit/filters/fields.ts';
import type { CampaignItem } from './campaign.ts';
import { voucherTypes } from './kinds.ts';

/** Holds a campaign with its categories, for filters. */
interface FilteredCampaign {
  item: CampaignItem;
  categories: Categories;
}

type Test = (one: FilteredCampaign, now: Date) => boolean;

/** ISO 8601 in UTC with milliseconds compares as text. */
const isExpired: Test = ({ item: { expiration_date } }, now) =>
  expiration_date !== undefined && expiration_date < now.toISOString();
const isBeforeStart: Test = ({ item: { start_date } }, now) =>
  start_date !== undefined && now.toISOString() < start_date;
const isActive: Test = (one, now) => one.item.active && !isExpired(one, now) && !isBeforeStart(one, now);

export function readCampaignStatus({ creation_status, modifying }: CampaignItem): string {
  return modifying ? 'MODIFYING' : creation_status;
}

export function isReferralCampaign({ campaign_type, voucher }: CampaignItem): boolean {
  return campaign_type === 'REFERRAL_PROGRAM' || (voucher?.is_referral_code ?? false);
}

function categoryName({ item: { category_id }, categories }: FilteredCampaign): string[] {
  const own = findCountingCategory(categories, [category_id]);
  return own ? [own.name] : [];
}

function categoryIds({ item: { category_id }, categories }: FilteredCampaign): string[] {
  const own = findCountingId(categories, [category_id]);
  return own === undefined ? [] : [own];
}

/** Names the fields that filter the list of campaigns. */
export const campaignFields: FilterFields<FilteredCampaign> = {
  campaigns: { type: 'text', at: ({ item }: FilteredCampaign) => item.name },
  campaigns_id: { type: 'text', at: ({ item }: FilteredCampaign) => item.id },
  campaign_status: { type: 'text', at: ({ item }: FilteredCampaign) => readCampaignStatus(item) },
  status: {
    flags: {
      $active: isActive,
      $failed: ({ item }) => readCampaignStatus(item) === 'FAILED',
      $in_progress: ({ item }) =>
        item.creation_status === 'IN_PROGRESS' || item.vouchers_generation_status === 'IN_PROGRESS',
      $expired: isExpired,
      before_start: isBeforeStart,
    },
  },
  active: {
    flags: {
      $active: isActive,
      $enabled: ({ item }) => item.active,
      $disabled: ({ item }) => !item.active,
      $expired: isExpired,
    },
  },
  is_referral_code: { type: 'boolean', at: ({ item }: FilteredCampaign) => isReferralCampaign(item) },
  validity_timeframe: { type: 'any', at: ({ item }: FilteredCampaign) => item.validity_timeframe },
  voucher_type: { type: 'text', at: ({ item }: FilteredCampaign) => voucherTypes[item.campaign_type] },
  categories: { type: 'list', at: categoryName },
  category_ids: { type: 'list', at: categoryIds },
  type: { type: 'text', at: ({ item }: FilteredCampaign) => item.type },
  created_date: { type: 'date', at: ({ item }: FilteredCampaign) => item.created_at },
  created_at: { type: 'date', at: ({ item }: FilteredCampaign) => item.created_at },
  updated_at: { type: 'date', at: ({ item }: FilteredCampaign) => item.updated_at },
  start_date: { type: 'date', at: ({ item }: FilteredCampaign) => item.start_date },
  expiration_date: { type: 'date', at: ({ item }: FilteredCampaign) => item.expiration_date },
  validity_day_of_week: { type: 'list', at: ({ item }: FilteredCampaign) => item.validity_day_of_week },
  'metadata.*': {
    type: 'any',
    at: ({ item: { metadata } }: FilteredCampaign, name) =>
      Object.hasOwn(metadata, name) ? metadata[name] : undefined,
  },
};
