import * as v from 'valibot';
import { named } from '../core/documented.ts';
import { count, date, dateTime, listOf, metadata, nullable } from '../core/schema.ts';
import { cardItem } from '../ledger/card.ts';
import { category } from '../rules/categories/resource.ts';
import { countedNames } from '../rules/counted-names.ts';
import { discount, gift, shownGift } from '../rules/discounts/discount.ts';
import { validationRulesAssignment } from '../rules/validation-rules-assignment.ts';
import { validityDates, validityDayOfWeek, validityHours, validityTimeframe } from '../rules/validity/validity.ts';
import { kind } from '../table/kind.ts';

export const voucherType = v.picklist(['GIFT_VOUCHER', 'DISCOUNT_VOUCHER', 'LOYALTY_CARD']);

const asset = v.object({ id: v.string(), url: v.string() });

/** A voucher as replies show it. Most fields without a value are null; clients of the interface expect the others to be absent. */
export const voucher = named(
  'Voucher',
  v.object({
    id: v.string(),
    code: v.string(),
    campaign: v.nullable(v.string()),
    campaign_id: v.nullable(v.string()),
    category: v.nullable(v.string()),
    category_id: v.nullable(v.string()),
    categories: v.array(category.reply),
    type: voucherType,
    discount: v.nullable(discount),
    gift: v.nullable(shownGift),
    loyalty_card: v.nullable(
      v.object({
        points: count,
        balance: count,
        next_expiration_date: v.optional(date),
        next_expiration_points: v.optional(count),
        pending_points: count,
        expired_points: v.optional(count),
        subtracted_points: v.optional(count),
      }),
    ),
    start_date: v.nullable(dateTime),
    expiration_date: v.nullable(dateTime),
    validity_timeframe: v.nullable(validityTimeframe),
    validity_day_of_week: v.nullable(validityDayOfWeek),
    validity_hours: v.optional(validityHours),
    active: v.nullable(v.boolean()),
    additional_info: v.nullable(v.string()),
    metadata,
    assets: v.object({ qr: asset, barcode: asset }),
    is_referral_code: v.nullable(v.boolean()),
    created_at: dateTime,
    /** `null` until the first change. */
    updated_at: v.nullable(dateTime),
    holder_id: v.optional(v.string()),
    referrer_id: v.optional(v.string()),
    object: v.literal('voucher'),
    publish: v.object({ object: v.literal('list'), count, url: v.string() }),
    redemption: v.object({
      quantity: v.nullable(count),
      redeemed_quantity: count,
      redeemed_points: v.optional(count),
      redeemed_amount: v.optional(count),
      object: v.literal('list'),
      url: v.string(),
    }),
    validation_rules_assignments: listOf(validationRulesAssignment),
  }),
);

export type Voucher = v.InferOutput<typeof voucher>;

/** A voucher in the reply that redeems it, rolls it back or adds it to a campaign. Clients find these fields absent, not null. */
export const partialVoucher = named(
  'PartialVoucher',
  v.object({
    ...voucher.entries,
    discount: v.optional(discount),
    validity_timeframe: v.optional(validityTimeframe),
    validity_day_of_week: v.optional(validityDayOfWeek),
  }),
);

export type PartialVoucher = v.InferOutput<typeof partialVoucher>;

/** Leaves out what a part of a reply does not show as null. */
export function presentPartly({
  discount,
  validity_timeframe,
  validity_day_of_week,
  ...voucher
}: Voucher): PartialVoucher {
  return {
    ...voucher,
    ...(discount ? { discount } : {}),
    ...(validity_timeframe ? { validity_timeframe } : {}),
    ...(validity_day_of_week ? { validity_day_of_week } : {}),
  };
}

/**
 * As stored: what defines the voucher, and apart from it the figures that move, so that loading a project
 * file again can set the one and leave the other alone. What is absent is inherited from the campaign at reading. Of loyalty
 * cards, the ledger's part says what they hold.
 */
export const voucherItem = v.object({
  ...cardItem.entries,
  type: voucherType,
  category_id: nullable(v.string()),
  discount: nullable(discount),
  gift: nullable(v.object({ amount: gift.entries.amount, effect: gift.entries.effect })),
  ...validityDates,
  additional_info: nullable(v.string()),
  metadata: v.optional(metadata, {}),
  is_referral_code: nullable(v.boolean()),
  referrer_id: nullable(v.string()),
  redemption_quantity: nullable(count),
  validation_rules_assignments: v.optional(v.array(validationRulesAssignment), []),
  publish_count: v.optional(count, 0),
  /** The publications by which somebody got it; more than one where its holder was deleted. */
  publication_ids: v.optional(v.array(v.string())),
  /** Of the last of them, for formulas: absent where it says none, and where nothing is discounted. */
  publication_metadata: v.optional(metadata),
  redeemed_quantity: v.optional(count, 0),
  /** Shows that `redeemed_quantity` may be ahead by blocks of uses that containers have not used (`lib/http/holds/block.ts`). */
  blocks_until: v.optional(v.string()),
  /** Limits of its own that its redemptions count (`lib/checkout/redemptions/open-counters.ts`). */
  counted_limits: v.optional(countedNames),
  redeemed_amount: v.optional(count, 0),
  /** Set by the first redemption, and kept when that is rolled back: the code is known to somebody. */
  was_redeemed: v.optional(v.boolean()),
  /** Minor currency units left on a gift voucher. */
  gift_balance: v.optional(count),
  /** And those that were given to it beyond its first amount. */
  gift_credited: v.optional(count, 0),
});

export type VoucherItem = v.InferOutput<typeof voucherItem>;

export const vouchers = kind('VOUCHER', voucherItem);
