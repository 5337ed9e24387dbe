import * as v from 'valibot';
import { category } from '../campaigns/category.ts';
import { discount, gift } from '../campaigns/discount.ts';
import { validationRulesAssignment } from '../campaigns/validation-rules-assignment.ts';
import { validityDayOfWeek, validityHours, validityTimeframe } from '../campaigns/validity.ts';
import { count, date, dateTime, listOf, metadata, nullable } from '../schema.ts';

export const voucherType = v.picklist(['GIFT_VOUCHER', 'DISCOUNT_VOUCHER', 'LOYALTY_CARD']);

const asset = v.object({ id: v.string(), url: v.string() });

/** Contract, "Voucher and loyalty card". */
export const voucher = v.object({
  id: v.string(),
  code: v.string(),
  campaign: v.nullable(v.string()),
  campaign_id: v.nullable(v.string()),
  category: v.nullable(v.string()),
  category_id: v.nullable(v.string()),
  categories: v.array(category),
  type: voucherType,
  discount: v.nullable(discount),
  gift: v.nullable(gift),
  loyalty_card: v.nullable(
    v.object({
      points: count,
      balance: count,
      next_expiration_date: v.optional(date),
      next_expiration_points: v.optional(count),
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
  updated_at: v.optional(dateTime),
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
});

export type Voucher = v.InferOutput<typeof voucher>;

/** Points that lapse together after their day (UTC); `null` never. */
export const lot = v.object({ points: count, expires: v.nullable(date) });

export type Lot = v.InferOutput<typeof lot>;

/**
 * As stored: what defines the voucher, and apart from it the figures that move, so that loading a project
 * file again can set the one and leave the other alone. What is absent is inherited from the campaign at reading.
 */
export const voucherItem = v.object({
  id: v.string(),
  code: v.string(),
  type: voucherType,
  campaign_id: nullable(v.string()),
  category_id: nullable(v.string()),
  discount: nullable(discount),
  gift: nullable(v.object({ amount: gift.entries.amount, effect: gift.entries.effect })),
  start_date: nullable(dateTime),
  expiration_date: nullable(dateTime),
  validity_timeframe: nullable(validityTimeframe),
  validity_day_of_week: nullable(validityDayOfWeek),
  validity_hours: nullable(validityHours),
  active: nullable(v.boolean()),
  additional_info: nullable(v.string()),
  metadata: v.optional(metadata, {}),
  is_referral_code: nullable(v.boolean()),
  holder_id: nullable(v.string()),
  referrer_id: nullable(v.string()),
  redemption_quantity: nullable(count),
  validation_rules_assignments: v.optional(v.array(validationRulesAssignment), []),
  created_at: dateTime,
  updated_at: v.optional(dateTime),
  publish_count: v.optional(count, 0),
  redeemed_quantity: v.optional(count, 0),
  redeemed_points: v.optional(count, 0),
  redeemed_amount: v.optional(count, 0),
  /** Minor currency units left on a gift voucher. */
  gift_balance: v.optional(count),
  /** Points ever credited to a loyalty card. */
  credited_points: v.optional(count, 0),
  lots: v.optional(v.array(lot), []),
  /** What a loyalty card had when it came into the table: the first row of its ledger. */
  opening_balance: v.optional(count, 0),
  /** So many its ledger has; the next one's number is one more. Not `sequence`: that would list the card among them. */
  ledger_entries: v.optional(count, 0),
  /** Goes up by one with every change of the card's points, so that each is made to the card as it was read. */
  revision: v.optional(count),
  /** Points of its entries that are PENDING. */
  pending_points: v.optional(count, 0),
  /** Activities about the card that its holder's list has. */
  activities: v.optional(count, 0),
  /** Absent: not looked at yet since the card came into the table; `null`: in no tier. */
  standing: v.optional(
    v.nullable(v.object({ tier_id: v.string(), start_date: date, expiration_date: v.nullable(date) })),
  ),
});

export type VoucherItem = v.InferOutput<typeof voucherItem>;
