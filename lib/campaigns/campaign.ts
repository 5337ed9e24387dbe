import * as v from 'valibot';
import { described, named } from '../core/documented.ts';
import { count, dateTime, duration, metadata, nullable, object } from '../core/schema.ts';
import { codeConfig } from '../ledger/codes/code-space.ts';
import { pointsExpirationRules } from '../ledger/points-expiration.ts';
import { loyaltyTiersExpiration } from '../ledger/tier-rules.ts';
import { countedNames } from '../rules/counted-names.ts';
import { discount, gift } from '../rules/discounts/discount.ts';
import { validationRulesAssignment } from '../rules/validation-rules-assignment.ts';
import { validityDayOfWeek, validityHours, validityTimeframe } from '../rules/validity/validity.ts';
import { kind } from '../table/kind.ts';
import { referralProgram } from './referral-program.ts';

export const campaignType = v.picklist([
  'LOYALTY_PROGRAM',
  'GIFT_VOUCHERS',
  'DISCOUNT_COUPONS',
  'PROMOTION',
  'REFERRAL_PROGRAM',
]);

export const campaignStatus = v.picklist(['DONE', 'IN_PROGRESS', 'FAILED', 'DRAFT', 'MODIFYING']);

/** Codes that one campaign may have, however they came to it. */
export const maxVouchersOfCampaign = 5_000_000;

const voucherType = v.picklist(['DISCOUNT_VOUCHER', 'GIFT_VOUCHER', 'LOYALTY_CARD']);

/** Names the types of vouchers that pages may publish from the campaign; without it, none. See docs/browser.md#pages. */
export const clientPublication = described(
  v.pipe(v.array(voucherType), v.maxLength(voucherType.options.length, 'must name each type once')),
  'The types of vouchers that web pages may publish from the campaign with their public key. Without it, none.',
);

/** What each voucher of the campaign is like. Its dates come before the campaign's own. */
export const campaignVoucher = named(
  'CampaignVoucher',
  object({
    type: voucherType,
    discount: v.optional(discount),
    gift: v.optional(gift),
    loyalty_card: v.optional(object({ points: count, expiration_rules: v.optional(pointsExpirationRules) })),
    redemption: v.optional(object({ quantity: nullable(count) })),
    code_config: v.optional(codeConfig),
    is_referral_code: v.optional(v.boolean()),
    start_date: v.optional(dateTime),
    expiration_date: v.optional(dateTime),
    validity_timeframe: v.optional(validityTimeframe),
  }),
);

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
  client_publication: v.optional(clientPublication),
  metadata: v.optional(metadata, {}),
  voucher: v.optional(campaignVoucher),
  referral_program: v.optional(referralProgram),
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
  /** What a body assigned, for the Areas and Stores feature: shown, and not acted on. */
  access_settings: v.optional(metadata),
  /** Generations of its codes that are under way, those that have failed, and the codes that these have not made yet. */
  generations_open: v.optional(count, 0),
  generations_failed: v.optional(count, 0),
  codes_pending: v.optional(count, 0),
  /** Of a programme: the reward that its members get by themselves, as its assignment says. */
  auto_redeem: v.optional(v.string()),
  /** Id of the action that ends it; present while both statuses read MODIFYING. */
  modifying: v.optional(v.string()),
  /** How often all sessions of its codes and tiers were ended (`lib/http/holds/locks.ts`). */
  sessions_ended: v.optional(count),
  /** Limits that its redemptions count, whichever of its rules, codes or tiers names them (`lib/checkout/redemptions/open-counters.ts`). */
  counted_limits: v.optional(countedNames),
  /** Changes with whatever its vouchers inherit (`lib/table/versioned.ts`). */
  version: v.optional(v.string()),
});

export type CampaignItem = v.InferOutput<typeof campaignItem>;

export const campaigns = kind('CAMPAIGN', campaignItem);

/** Partition keys of all campaigns, as a pattern of IAM. */
export const campaignKeys = `*#${campaigns.kind}#*`;

/** Which campaign bears a name. */
export const campaignNames = kind('CAMPAIGN_NAME', v.object({ campaign_id: v.string() }));
