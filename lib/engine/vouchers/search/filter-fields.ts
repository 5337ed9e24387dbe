import { type CampaignTerms, listCategoryIds } from '#engine/campaigns/campaign-terms.ts';
import { isUsedUp } from '#engine/ledger/codes/voucher-lists.ts';
import { type Categories, findCountingCategory, findCountingId } from '#engine/rules/categories/resource.ts';
import { findVoucherRefusal } from '#engine/rules/validity/refusals.ts';
import { inheritValidity, type Validity } from '#engine/rules/validity/validity.ts';
import type { FilterFields } from '#kernel/kit/filters/fields.ts';
import { isReferralCode, type VoucherItem } from '../voucher.ts';

/** Holds a voucher for filters, with what it inherits. */
export interface FilteredVoucher {
  item: VoucherItem;
  campaign: CampaignTerms | undefined;
  categories: Categories;
}

export function findVoucherCategoryId({ item, campaign, categories }: FilteredVoucher): string | undefined {
  return findCountingId(categories, listCategoryIds(item, campaign));
}

function findCategoryNames({ item, campaign, categories }: FilteredVoucher): string[] {
  const category = findCountingCategory(categories, listCategoryIds(item, campaign));
  return category ? [category.name] : [];
}

const shown =
  <K extends keyof Validity>(field: K) =>
  ({ item, campaign }: FilteredVoucher) =>
    inheritValidity(item, campaign)[field];

const expiration = shown('expiration_date');

/** Returns whether the voucher can be used, apart from hours and weekdays. */
function isActive({ item, campaign }: FilteredVoucher, now: Date): boolean {
  const refusal = findVoucherRefusal(item, campaign, now);
  return refusal === undefined || refusal.key === 'voucher_not_active_now';
}

/** Compares dates as text, which works for ISO 8601 in UTC with milliseconds. */
function isExpired(one: FilteredVoucher, now: Date): boolean {
  const end = expiration(one);
  return typeof end === 'string' && end < now.toISOString();
}

/** Returns the status that follows from the number of redemptions. */
function redemptionStatus(item: VoucherItem): string {
  if (item.redeemed_quantity === 0) return 'NOT_REDEEMED';
  return isUsedUp(item) ? 'REDEEMED' : 'PARTIALLY_REDEEMED';
}

const at = (read: (item: VoucherItem) => unknown) => (one: FilteredVoucher) => read(one.item);

/** Names the fields that filter the list of vouchers. */
export const voucherFilterFields: FilterFields<FilteredVoucher> = {
  code: { type: 'text', at: at(({ code }) => code) },
  vouchers: { type: 'list', at: at(({ code, id }) => [code, id]) },
  campaign_ids: { type: 'text', at: at(({ campaign_id }) => campaign_id) },
  active: {
    flags: {
      $active: isActive,
      $enabled: ({ item }) => item.active !== false,
      $disabled: ({ item }) => item.active === false,
      $expired: isExpired,
    },
  },
  'redemption.redeemed_quantity': { type: 'number', at: at(({ redeemed_quantity }) => redeemed_quantity) },
  redemption_status: { type: 'text', at: at(redemptionStatus) },
  is_referral_code: {
    type: 'boolean',
    at: ({ item, campaign }: FilteredVoucher) => isReferralCode(item, campaign) ?? false,
  },
  start_date: { type: 'date', at: shown('start_date') },
  expiration_date: { type: 'date', at: expiration },
  created_at: { type: 'date', at: at(({ created_at }) => created_at) },
  created_date: { type: 'date', at: at(({ created_at }) => created_at) },
  updated_at: { type: 'date', at: at(({ updated_at }) => updated_at) },
  categories: { type: 'list', at: findCategoryNames },
  category_ids: { type: 'text', at: findVoucherCategoryId },
  holder_id: { type: 'text', at: at(({ holder_id }) => holder_id) },
  published_for_customer_id: { type: 'text', at: at(({ holder_id }) => holder_id) },
  validity_timeframe: { type: 'any', at: shown('validity_timeframe') },
  validity_day_of_week: { type: 'list', at: shown('validity_day_of_week') },
  'metadata.*': {
    type: 'any',
    at: ({ item: { metadata } }: FilteredVoucher, name) => (Object.hasOwn(metadata, name) ? metadata[name] : undefined),
  },
};
