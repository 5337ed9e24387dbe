import * as v from 'valibot';
import { codeConfig } from '#engine/ledger/codes/code-space.ts';
import { pointsExpirationRules } from '#engine/ledger/lots.ts';
import { loyaltyTiersExpiration } from '#engine/ledger/tier-rules.ts';
import { validationRulesAssignment } from '#engine/rules/assignment.ts';
import { countedNames } from '#engine/rules/counter.ts';
import { discount, gift } from '#engine/rules/discounts/discount.ts';
import { validityDayOfWeek, validityHours, validityTimeframe } from '#engine/rules/validity/validity.ts';
import { described, named } from '#kernel/core/documented.ts';
import {
  count,
  dateTime,
  duration,
  identifier,
  metadata,
  nullable,
  object,
  positiveInteger,
  reference,
  shortText,
} from '#kernel/core/schema.ts';
import { kind } from '#kernel/table/kind.ts';
import { kinds } from '#kernel/table/kind-names.ts';
import type { Update } from '#kernel/table/update.ts';

const rewardTypes = v.picklist(['LOYALTY_CARD', 'GIFT_VOUCHER']);

const amount = described(positiveInteger, 'Points of a loyalty card, or minor currency units of a gift voucher.');

const reward = v.looseObject({
  type: rewardTypes,
  amount,
  related_object_parent: described(
    v.looseObject({ id: v.string() }),
    'The campaign of the card or voucher that gets the reward.',
  ),
});

/** Defines the conversion of a referral programme, and the rewards of referee and referrer. */
const referralProgram = v.looseObject({
  /** Without it, any event that names a code of the programme counts. */
  conversion_event_type: nullable(v.picklist(['redemption', 'custom_event'])),
  conversion_event: described(
    nullable(identifier),
    'Older clients send this: `redemption`, or the name of a custom event. It counts where `conversion_event_type` and `custom_event` are absent.',
  ),
  custom_event: nullable(v.looseObject({ name: nullable(v.string()) })),
  referee_reward: described(nullable(reward), 'The reward of the referee, the customer that the code brought.'),
  referrer_reward: described(
    nullable(reward),
    'The reward of the referrer, the customer that shares the code, once for each referee. It is given in the transaction of the conversion.',
  ),
});

const { conversion_event_type, conversion_event } = referralProgram.entries;

const sentReward = object({
  type: rewardTypes,
  amount,
  related_object_parent: object({ id: reference, name: nullable(reference), object: nullable(shortText) }),
});

/** Describes the programme in a body. */
export const sentReferralProgram = object({
  conversion_event_type,
  conversion_event,
  custom_event: nullable(object({ id: nullable(reference), name: identifier })),
  referee_reward: nullable(sentReward),
  referrer_reward: nullable(sentReward),
});

export type ReferralProgram = v.InferOutput<typeof referralProgram>;

export type ReferralReward = v.InferOutput<typeof reward>;

/** Names the fields of the rewards that a conversion may give. */
export const rewardFields = ['referee_reward', 'referrer_reward'] as const;

const typeNames: readonly string[] = ['redemption', 'custom_event'];

/** Returns whether a redemption of a code of the programme is its conversion. */
export function isConvertedByRedemption(programme: ReferralProgram | undefined): boolean {
  return (programme?.conversion_event_type ?? programme?.conversion_event) === 'redemption';
}

function conversionEvent({ custom_event, conversion_event: older }: ReferralProgram): string | undefined {
  return custom_event?.name || (older && !typeNames.includes(older) ? older : undefined);
}

/** Returns whether the programme counts this custom event as a conversion. */
export function isConversion(programme: ReferralProgram | undefined, event: string): boolean {
  if (isConvertedByRedemption(programme)) return false;
  const name = programme && conversionEvent(programme);
  return name === undefined || name === event;
}

/** Returns the ids of the campaigns that give their cards and vouchers the rewards of a conversion. */
export function listRewardingCampaigns(programme: ReferralProgram | null | undefined): string[] {
  return rewardFields.flatMap((field) => programme?.[field]?.related_object_parent.id ?? []);
}

export const campaignType = v.picklist([
  'LOYALTY_PROGRAM',
  'GIFT_VOUCHERS',
  'DISCOUNT_COUPONS',
  'PROMOTION',
  'REFERRAL_PROGRAM',
]);

export const campaignStatus = v.picklist(['DONE', 'IN_PROGRESS', 'FAILED', 'DRAFT', 'MODIFYING']);

/** A campaign has at most this many codes: generated, added and imported together. */
export const maxVouchersOfCampaign = 5_000_000;

const voucherType = v.picklist(['DISCOUNT_VOUCHER', 'GIFT_VOUCHER', 'LOYALTY_CARD']);

/** Names the types of vouchers that browsers may publish from the campaign. See docs/browser.md#pages. */
export const clientPublication = described(
  v.pipe(v.array(voucherType), v.maxLength(voucherType.options.length, 'must name each type once')),
  'The types of vouchers that browsers may publish from the campaign with the public key. Without it, browsers publish none.',
);

/** Describes the vouchers of a campaign. Dates here override the dates of the campaign. */
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

/** Operators and callers may set these fields of a campaign. */
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

/** Stores a campaign. It refers to its category by id, so that a new name shows everywhere immediately. */
export const campaignItem = object({
  ...campaignDefinition,
  id: v.string(),
  created_at: dateTime,
  updated_at: v.optional(dateTime),
  creation_status: campaignStatus,
  vouchers_generation_status: campaignStatus,
  vouchers_count: v.optional(count),
  validation_rules_assignments: v.optional(v.array(validationRulesAssignment), []),
  /** Keeps the value that a body sent for the Areas and Stores feature. Replies show it, and no rule uses it. */
  access_settings: v.optional(metadata),
  /** Counts generations of codes that are open, generations that failed, and codes that are still missing. */
  generations_open: v.optional(count, 0),
  generations_failed: v.optional(count, 0),
  codes_pending: v.optional(count, 0),
  /** Holds the id of the reward that members of a programme get automatically. */
  auto_redeem: v.optional(v.string()),
  /** Holds the id of the action that ends the change. While it is present, both statuses read MODIFYING. */
  modifying: v.optional(v.string()),
  /** Counts how often all sessions of the campaign's codes and tiers were ended (`lib/engine/holds/locks.ts`). */
  sessions_ended: v.optional(count),
  /** Names every limit that redemptions of the campaign count (`lib/engine/checkout/redemptions/open-counters.ts`). */
  counted_limits: v.optional(countedNames),
  /** Changes with every field that vouchers inherit (`lib/kernel/table/kept.ts`). */
  version: v.optional(v.string()),
});

export type CampaignItem = v.InferOutput<typeof campaignItem>;

/** A change of a campaign. */
export type CampaignUpdate = Update<typeof campaignItem>;

export const campaigns = kind(kinds.campaign, campaignItem);

/** Matches the partition keys of all campaigns, as an IAM pattern. */
export const campaignKeys = `*#${campaigns.kind}#*`;

/** Claims a name for one campaign. `bin_entry` is the entry of a campaign in the bin. Older claims lack it. */
export const campaignNames = kind(
  kinds.campaignName,
  v.object({ campaign_id: v.string(), bin_entry: v.optional(v.string()) }),
);
