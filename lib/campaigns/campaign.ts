import * as v from 'valibot';
import { count, dateTime, duration, integer, metadata, nullable, object } from '../schema.ts';
import { codeConfig } from './code-space.ts';
import { discount, gift } from './discount.ts';
import { validationRulesAssignment } from './validation-rules-assignment.ts';
import { validityDayOfWeek, validityHours, validityTimeframe } from './validity.ts';

export const campaignType = v.picklist([
  'LOYALTY_PROGRAM',
  'GIFT_VOUCHERS',
  'DISCOUNT_COUPONS',
  'PROMOTION',
  'REFERRAL_PROGRAM',
]);

export const campaignStatus = v.picklist(['DONE', 'IN_PROGRESS', 'FAILED', 'DRAFT', 'MODIFYING']);

/** 1 is January. */
const month = v.pipe(
  integer,
  v.minValue(1, 'must be 1 (January) to 12 (December)'),
  v.maxValue(12, 'must be 1 (January) to 12 (December)'),
);

/** No longer than 100 years: a date must stay one of four-digit years. */
const months = v.pipe(integer, v.minValue(1, 'must be 1 or more'), v.maxValue(1200, 'must be 1200 or less'));

/**
 * When credited points of a card lapse, counted from the day of the credit: after `period_value` months, rounded up to
 * the end of a period (PARTICULAR_MONTH: to the end of the next month `rounding_value`), or on the next fixed day of the year.
 */
export const pointsExpirationRules = v.pipe(
  object({
    period_type: v.picklist(['MONTH', 'FIXED_DAY_OF_YEAR']),
    period_value: v.optional(months),
    rounding_type: v.optional(
      v.picklist(['END_OF_MONTH', 'END_OF_QUARTER', 'END_OF_HALF_YEAR', 'END_OF_YEAR', 'PARTICULAR_MONTH']),
    ),
    rounding_value: v.optional(integer),
    fixed_month: v.optional(month),
    fixed_day: v.optional(v.pipe(integer, v.minValue(1, 'must be 1 to 31'), v.maxValue(31, 'must be 1 to 31'))),
  }),
  v.check(
    ({ period_type, period_value }) => period_type !== 'MONTH' || period_value !== undefined,
    'must have a period_value, being of the period type MONTH',
  ),
  v.check(
    ({ period_type, fixed_month, fixed_day }) =>
      period_type !== 'FIXED_DAY_OF_YEAR' || (fixed_month !== undefined && fixed_day !== undefined),
    'must have a fixed_month and a fixed_day, being of the period type FIXED_DAY_OF_YEAR',
  ),
  v.check(
    ({ rounding_type, rounding_value }) => rounding_type !== 'PARTICULAR_MONTH' || v.is(month, rounding_value),
    'must have a rounding_value of 1 (January) to 12 (December), being rounded to a PARTICULAR_MONTH',
  ),
);

/** Contract, "Campaign voucher": what each voucher of the campaign is like. */
export const campaignVoucher = object({
  type: v.picklist(['DISCOUNT_VOUCHER', 'GIFT_VOUCHER', 'LOYALTY_CARD']),
  discount: v.optional(discount),
  gift: v.optional(gift),
  loyalty_card: v.optional(object({ points: count, expiration_rules: v.optional(pointsExpirationRules) })),
  redemption: v.optional(object({ quantity: nullable(count) })),
  code_config: v.optional(codeConfig),
  is_referral_code: v.optional(v.boolean()),
  start_date: v.optional(dateTime),
  expiration_date: v.optional(dateTime),
  validity_timeframe: v.optional(validityTimeframe),
});

/** Contract, "Loyalty tiers expiration". */
export const loyaltyTiersExpiration = object({
  qualification_type: v.picklist(['BALANCE']),
  start_date: v.optional(object({ type: v.picklist(['IMMEDIATE']) })),
  expiration_date: v.optional(
    object({
      type: v.picklist(['CUSTOM']),
      extend: v.optional(duration),
      rounding: v.optional(object({ type: v.picklist(['MONTH']), strategy: v.picklist(['END']) })),
    }),
  ),
});

/** What a campaign is defined by: the fields that an operator or a caller may set. */
export const campaignDefinition = {
  name: v.string(),
  description: v.optional(v.string()),
  campaign_type: campaignType,
  type: v.picklist(['AUTO_UPDATE', 'STATIC', 'STANDALONE']),
  auto_join: v.optional(v.boolean(), false),
  join_once: v.optional(v.boolean(), true),
  use_voucher_metadata_schema: v.optional(v.boolean(), false),
  protected: v.optional(v.boolean(), false),
  active: v.optional(v.boolean(), true),
  category_id: v.optional(v.nullable(v.string()), null),
  start_date: v.optional(dateTime),
  expiration_date: v.optional(dateTime),
  validity_timeframe: v.optional(validityTimeframe),
  validity_day_of_week: v.optional(validityDayOfWeek),
  validity_hours: v.optional(validityHours),
  activity_duration_after_publishing: v.optional(duration),
  metadata: v.optional(metadata, {}),
  voucher: v.optional(campaignVoucher),
  referral_program: v.optional(metadata),
  promotion: v.optional(metadata),
  access_settings_assignments: v.optional(metadata),
  loyalty_tiers_expiration: v.optional(loyaltyTiersExpiration),
};

/** As stored. The category is kept by its id, so that a renamed one shows everywhere at once. */
export const campaignItem = object({
  ...campaignDefinition,
  id: v.string(),
  created_at: dateTime,
  updated_at: v.optional(dateTime),
  creation_status: campaignStatus,
  vouchers_generation_status: campaignStatus,
  vouchers_count: v.optional(count),
  validation_rules_assignments: v.optional(v.array(validationRulesAssignment), []),
  /** Kept for the Areas and Stores feature; no endpoint acts on it yet. */
  access_settings: v.optional(metadata),
  /** What the generation of its codes has left to do; only a campaign that was created through the interface has it. */
  generation: v.optional(object({ total: count, chunks: count, open: count, failed: count })),
  /** There while a change is taking effect: the statuses read MODIFYING until the worker removes it. */
  modifying: v.optional(v.string()),
});

export type CampaignItem = v.InferOutput<typeof campaignItem>;
