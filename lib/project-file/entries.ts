import * as v from 'valibot';
import { campaignDefinition, campaignStatus } from '../campaigns/campaign.ts';
import { discount, gift } from '../campaigns/discount.ts';
import { validationRulesAssignment } from '../campaigns/validation-rules-assignment.ts';
import { validityDayOfWeek, validityHours, validityTimeframe } from '../campaigns/validity.ts';
import { activitySubject, eventSource } from '../customers/activity.ts';
import { referral } from '../customers/customer.ts';
import { earningRuleItem } from '../events/earning-rule.ts';
import { loyaltyTierItem } from '../loyalty/loyalty-tier.ts';
import { reward } from '../loyalty/reward.ts';
import { brandAttributes } from '../management/brand.ts';
import { features, projectId } from '../projects/project.ts';
import { count, date, dateTime, email, identifier, integer, metadata, nullable, record } from '../schema.ts';
import { lot, voucherType } from '../vouchers/voucher.ts';

/**
 * The shape of every entry of a project file. Entries stand as the interface returns them; what it derives (lists,
 * urls, the ids of vouchers) may be there and is passed over.
 */

const id = v.optional(identifier);
const created = { created_at: v.optional(dateTime), updated_at: nullable(dateTime) };

const activeDates = {
  start_date: nullable(dateTime),
  expiration_date: nullable(dateTime),
  validity_timeframe: nullable(validityTimeframe),
  validity_day_of_week: nullable(validityDayOfWeek),
  validity_hours: nullable(validityHours),
};

const byCategory = { category: nullable(v.string()), category_id: nullable(v.string()) };

export const project = v.object({ id: projectId, name: v.string(), features: v.optional(features) });

const voucher = v.pipe(
  v.object({
    code: identifier,
    type: voucherType,
    campaign: nullable(v.string()),
    campaign_id: nullable(v.string()),
    ...byCategory,
    discount: nullable(discount),
    gift: nullable(gift),
    loyalty_card: nullable(
      v.object({
        points: count,
        balance: v.optional(count),
        next_expiration_date: nullable(date),
        next_expiration_points: nullable(count),
        lots: v.optional(v.array(lot)),
        /** In which tier its member is kept; without it, where the balance puts him. */
        standing: nullable(v.object({ tier_id: v.string(), start_date: date, expiration_date: nullable(date) })),
      }),
    ),
    ...activeDates,
    active: nullable(v.boolean()),
    additional_info: nullable(v.string()),
    metadata: v.optional(metadata),
    is_referral_code: nullable(v.boolean()),
    holder_id: nullable(v.string()),
    referrer_id: nullable(v.string()),
    publish: v.optional(v.object({ count: v.optional(count) })),
    redemption: v.optional(
      v.object({
        quantity: nullable(count),
        redeemed_quantity: v.optional(count),
        redeemed_points: v.optional(count),
        redeemed_amount: v.optional(count),
      }),
    ),
    ...created,
  }),
  v.check(({ type, gift }) => type !== 'GIFT_VOUCHER' || Boolean(gift), 'must have a gift, being a GIFT_VOUCHER'),
  v.check(
    ({ type, loyalty_card }) => type !== 'LOYALTY_CARD' || Boolean(loyalty_card),
    'must have a loyalty_card, being a LOYALTY_CARD',
  ),
  v.check(
    ({ loyalty_card: card }) => !card || (card.balance ?? card.points) <= card.points,
    'must not have a loyalty_card with a balance above its points',
  ),
  v.check(({ loyalty_card: card }) => {
    const lotPoints = card?.lots?.reduce((sum, { points }) => sum + points, 0);
    return lotPoints === undefined || lotPoints === (card?.balance ?? card?.points);
  }, 'must have a loyalty_card whose lots add up to its balance'),
);

const secret = v.optional(v.pipe(v.string(), v.minLength(1, 'must not be empty')));
/** What an exported file has in the place of a token, which nobody knows any more but who bears it. */
const secretHash = v.optional(
  v.pipe(v.string(), v.regex(/^[\w-]{43}$/, 'must be a SHA-256 hash in base64url, as an exported file has it')),
);
const tierPoints = loyaltyTierItem.entries.points;

export const lists = {
  app_keys: v.pipe(
    v.object({
      app_id: identifier,
      app_token: secret,
      app_token_hash: secretHash,
      name: v.string(),
      active: v.optional(v.boolean()),
    }),
    v.check(
      ({ app_token, app_token_hash }) => (app_token === undefined) !== (app_token_hash === undefined),
      'must have either an app_token or an app_token_hash',
    ),
  ),
  management_keys: v.pipe(
    v.object({ management_id: identifier, management_token: secret, management_token_hash: secretHash }),
    v.check(
      ({ management_token, management_token_hash }) =>
        (management_token === undefined) !== (management_token_hash === undefined),
      'must have either a management_token or a management_token_hash',
    ),
  ),
  roles: v.object({ id, name: v.string() }),
  users: v.object({ email, first_name: v.string(), last_name: v.string(), role: v.string() }),
  brands: v.object({ id, ...brandAttributes }),
  categories: v.object({ id, name: identifier, hierarchy: v.optional(integer, 0), created_at: v.optional(dateTime) }),
  validation_rules: v.object({ id: identifier, name: v.string() }),
  campaigns: v.object({
    ...campaignDefinition,
    name: identifier,
    id,
    ...byCategory,
    creation_status: v.optional(campaignStatus, 'DONE'),
    vouchers_generation_status: v.optional(campaignStatus, 'DONE'),
    vouchers_count: v.optional(count),
    ...created,
  }),
  vouchers: voucher,
  validation_rules_assignments: v.object({
    id,
    rule_id: v.string(),
    related_object_id: v.string(),
    related_object_type: validationRulesAssignment.entries.related_object_type,
    created_at: v.optional(dateTime),
  }),
  promotion_tiers: v.object({
    id,
    name: v.string(),
    campaign_id: v.string(),
    banner: v.optional(v.string()),
    action: v.optional(v.object({ discount: v.optional(discount) })),
    metadata: v.optional(metadata, {}),
    hierarchy: count,
    active: v.optional(v.boolean(), true),
    ...byCategory,
    ...activeDates,
    summary: v.optional(
      v.object({
        redemptions: v.object({ total_redeemed: count }),
        orders: v.object({ total_amount: count, total_discount_amount: count }),
      }),
    ),
    ...created,
  }),
  loyalty_tiers: v.object({
    id,
    name: v.string(),
    campaign_id: v.string(),
    metadata: v.optional(metadata),
    earning_rules: loyaltyTierItem.entries.earning_rules,
    rewards: loyaltyTierItem.entries.rewards,
    config: v.optional(v.object({ points: tierPoints })),
    points: tierPoints,
    ...created,
  }),
  earning_rules: v.object({
    id,
    campaign_id: v.string(),
    event: v.string(),
    active: v.boolean(),
    loyalty: earningRuleItem.entries.loyalty,
    pending_points: earningRuleItem.entries.pending_points,
  }),
  rewards: v.object({
    id,
    name: v.string(),
    type: reward.entries.type,
    parameters: reward.entries.parameters,
    stock: nullable(count),
    redeemed: nullable(count),
    attributes: reward.entries.attributes,
    metadata: v.optional(metadata),
    ...created,
  }),
  reward_assignments: v.object({
    id,
    reward_id: v.string(),
    related_object_id: v.string(),
    related_object_type: v.picklist(['campaign']),
    parameters: v.optional(v.object({ loyalty: v.optional(v.object({ points: count })) })),
    ...created,
  }),
  event_schema: v.object({
    name: v.pipe(identifier, v.maxLength(300, 'must have at most 300 characters')),
    metadata: record(v.picklist(['string', 'number', 'boolean', 'date'])),
  }),
  customers: v.object({
    id,
    source_id: nullable(identifier),
    name: nullable(v.string()),
    description: nullable(v.string()),
    email: nullable(v.string()),
    phone: nullable(v.string()),
    birthday: nullable(date),
    birthdate: nullable(date),
    address: nullable(
      v.object({
        city: nullable(v.string()),
        state: nullable(v.string()),
        line_1: nullable(v.string()),
        line_2: nullable(v.string()),
        country: nullable(v.string()),
        postal_code: nullable(v.string()),
      }),
    ),
    metadata: v.optional(metadata),
    system_metadata: v.optional(metadata),
    summary: v.optional(metadata),
    loyalty: v.optional(metadata),
    referrals: v.optional(metadata),
    /** What the service has counted itself, beside the three above; the codes by which he came in, for `related_object_id`. */
    referred_customers: v.optional(count),
    referred_in: v.optional(v.array(referral)),
    ...created,
  }),
  activities: v.object({
    id,
    type: v.string(),
    data: v.looseObject({
      data: v.looseObject({
        customer: v.pipe(
          v.object({ id: v.optional(identifier), source_id: nullable(identifier) }),
          v.check(({ id, source_id }) => Boolean(id ?? source_id), 'must have an id or a source_id'),
        ),
      }),
      event_source: v.optional(eventSource),
    }),
    created_at: v.optional(dateTime),
    ...activitySubject,
  }),
  pending_points: v.object({
    id,
    code: v.string(),
    points: integer,
    state: v.optional(v.picklist(['PENDING', 'ACTIVATED', 'CANCELED']), 'PENDING'),
    created_at: v.optional(dateTime),
    /** When they become points of the card; without it, when an operator says so. */
    activates_at: v.optional(dateTime),
    earning_rule_id: v.optional(v.string()),
    event: v.optional(v.string()),
  }),
} as const;

export type ListKey = keyof typeof lists;
export type Entry<K extends ListKey> = v.InferOutput<(typeof lists)[K]>;

/** Lists that may be as long as a project has vouchers and customers: read entry by entry, never held. */
export const longLists = [
  'vouchers',
  'customers',
  'activities',
  'pending_points',
] as const satisfies readonly ListKey[];
export type LongList = (typeof longLists)[number];
export type ShortList = Exclude<ListKey, LongList>;

export function isListKey(key: string): key is ListKey {
  return Object.hasOwn(lists, key);
}

export function isLongList(key: ListKey): key is LongList {
  return longLists.some((long) => long === key);
}
