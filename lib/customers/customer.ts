import * as v from 'valibot';
import { count, date, dateTime, integer, keptText, metadata, nullable, record } from '../schema.ts';

const nullableText = nullable(keptText);

export const addressFields = {
  city: nullableText,
  state: nullableText,
  line_1: nullableText,
  line_2: nullableText,
  country: nullableText,
  postal_code: nullableText,
};

/** In which referral programme somebody brought the customer in (contract, "Customer activity"). */
export const referral = v.object({
  campaign_id: v.nullable(v.string()),
  referrer_id: v.nullable(v.string()),
  related_object_id: v.string(),
  related_object_type: v.literal('voucher'),
  date: dateTime,
});

export type Referral = v.InferOutput<typeof referral>;

/** As stored. What the cards tell of the customer stands on the cards. */
export const customerItem = v.object({
  id: v.string(),
  source_id: nullableText,
  name: nullableText,
  description: nullableText,
  email: nullableText,
  phone: nullableText,
  birthday: nullable(date),
  birthdate: nullable(date),
  address: nullable(v.object(addressFields)),
  metadata: v.optional(metadata, {}),
  system_metadata: v.optional(metadata, {}),
  created_at: dateTime,
  updated_at: nullable(dateTime),
  /** Figures from before this service counted, as a project file brought them. */
  summary: v.optional(metadata, {}),
  loyalty: v.optional(metadata, {}),
  referrals: v.optional(metadata, {}),
  /** Activities of the customer's own; those about a card that he holds are counted there. */
  activities: v.optional(count, 0),
  /** Customers that he has referred. */
  referred_customers: v.optional(count, 0),
  /** The programmes into which he was referred, each once. */
  referred_in: v.optional(v.array(referral), []),
  /** Goes up with every change of what describes the customer, so that each is made to what was read. */
  revision: v.optional(count),
});

export type CustomerItem = v.InferOutput<typeof customerItem>;

const referralsBefore = v.object({ campaigns: v.array(v.looseObject({})) });

/** The referrals of a project file: whatever it tells of them. */
export function referredBefore({ referrals }: CustomerItem): Record<string, unknown>[] {
  return v.is(referralsBefore, referrals) ? referrals.campaigns : [];
}

/** Which customer bears a source id. */
export const customerSourceItem = v.object({ customer_id: v.string() });

/** Contract, "Customer activity": amounts in minor currency units, points of loyalty cards. */
export const customer = v.object({
  object: v.literal('customer'),
  id: v.string(),
  source_id: v.nullable(v.string()),
  name: v.nullable(v.string()),
  description: v.nullable(v.string()),
  email: v.nullable(v.string()),
  phone: v.nullable(v.string()),
  birthday: v.nullable(date),
  birthdate: v.nullable(date),
  address: v.nullable(v.object(addressFields)),
  metadata,
  system_metadata: metadata,
  created_at: dateTime,
  updated_at: v.nullable(dateTime),
  assets: v.object({ cockpit_url: v.string() }),
  summary: v.object({
    redemptions: v.object({
      total_redeemed: integer,
      total_failed: integer,
      total_succeeded: integer,
      total_rolled_back: integer,
      total_rollback_failed: integer,
      total_rollback_succeeded: integer,
      gift: v.object({ redeemed_amount: integer, amount_to_go: integer }),
      loyalty_card: v.object({ redeemed_points: integer, points_to_go: integer }),
    }),
    orders: v.object({
      total_amount: integer,
      total_count: integer,
      average_amount: integer,
      last_order_amount: integer,
      last_order_date: v.optional(dateTime),
    }),
  }),
  loyalty: v.object({
    points: integer,
    referred_customers: integer,
    campaigns: record(v.object({ points: integer, loyalty_tier: v.nullable(v.string()) })),
  }),
  referrals: v.object({ total: integer, campaigns: v.array(v.looseObject({})) }),
});

export type Customer = v.InferOutput<typeof customer>;
