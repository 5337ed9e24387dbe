import * as v from 'valibot';
import { codeConfig } from '#engine/ledger/codes/code-space.ts';
import { pointsExpirationRules } from '#engine/ledger/lots.ts';
import { loyaltyTiersExpiration } from '#engine/ledger/tier-rules.ts';
import { hasOneCategory, oneOfBoth } from '#engine/rules/categories/category-fields.ts';
import { gift, sentDiscount } from '#engine/rules/discounts/discount.ts';
import { areInOrder, datesOutOfOrder, timeframeNeedsStart } from '#engine/rules/validity/dates.ts';
import { validityTimeframe } from '#engine/rules/validity/validity.ts';
import { described } from '#kernel/core/documented.ts';
import {
  array,
  code,
  count,
  dateTime,
  identifier,
  nullable,
  object,
  reference,
  sentCount,
} from '#kernel/core/schema.ts';
import { campaignType, campaignVoucher, maxVouchersOfCampaign, sentReferralProgram } from './campaign.ts';
import { commonFields } from './campaign-body.ts';
import { type Fault, kindFaults } from './kinds.ts';
import { newTierBody } from './promotions/new-tiers.ts';
import { areVouchersInOrder, haveVouchersStart } from './voucher-content.ts';

/** One transaction creates all tiers with their campaign. */
const maxTiers = 86;

const outOfRange = `must be 0 to ${maxVouchersOfCampaign}`;

const voucherPart = object({
  type: v.optional(campaignVoucher.entries.type),
  discount: v.optional(sentDiscount),
  gift: v.optional(gift),
  loyalty_card: v.optional(object({ points: sentCount, expiration_rules: v.optional(pointsExpirationRules) })),
  redemption: v.optional(object({ quantity: nullable(count) })),
  code_config: v.optional(codeConfig, {}),
  code: described(v.optional(code), 'The code of the only voucher of a STANDALONE campaign. Unique in the project.'),
  is_referral_code: v.optional(v.boolean()),
  start_date: nullable(dateTime),
  expiration_date: nullable(dateTime),
  validity_timeframe: nullable(validityTimeframe),
});

const whole = object({
  ...commonFields,
  name: described(
    nullable(identifier),
    'The name that operators see. Unique in the project. Without a name, the id is the name.',
  ),
  type: v.optional(v.picklist(['AUTO_UPDATE', 'STATIC', 'STANDALONE'])),
  campaign_type: v.optional(campaignType),
  active: nullable(v.boolean()),
  auto_join: v.optional(v.boolean(), false),
  join_once: v.optional(v.boolean(), false),
  use_voucher_metadata_schema: v.optional(v.boolean()),
  vouchers_count: v.optional(
    v.pipe(
      v.number(),
      v.integer('must be an integer'),
      v.minValue(0, outOfRange),
      v.maxValue(maxVouchersOfCampaign, outOfRange),
    ),
    0,
  ),
  validation_rules: v.optional(array(reference, 1, 'rule')),
  voucher: v.optional(voucherPart, {}),
  referral_program: nullable(sentReferralProgram),
  loyalty_tiers_expiration: nullable(loyaltyTiersExpiration),
  promotion: nullable(object({ tiers: nullable(array(newTierBody, maxTiers, 'tiers')) })),
});

type Whole = v.InferOutput<typeof whole>;

/** The rules of kinds read these fields wherever they are readable, so that the reply lists all faults together. */
const ofKinds = v.object({
  campaign_type: v.fallback(whole.entries.campaign_type, undefined),
  type: v.fallback(whole.entries.type, undefined),
  vouchers_count: v.fallback(v.optional(v.number()), undefined),
  voucher: v.fallback(
    v.optional(
      v.object({
        type: v.fallback(voucherPart.entries.type, undefined),
        gift: v.optional(v.unknown()),
        loyalty_card: v.optional(v.unknown()),
        is_referral_code: v.fallback(v.optional(v.boolean()), undefined),
      }),
    ),
    undefined,
  ),
});

function buildPath([place]: Fault, input: Record<string, unknown>): [v.ObjectPathItem, ...v.ObjectPathItem[]] {
  const step = (key: string) => ({ type: 'object', origin: 'value', input, key, value: undefined }) as const;
  const [first, ...others] = place;
  return [step(first), ...others.map(step)];
}

const fitsItsKind = v.rawCheck<Whole>(({ dataset, addIssue }) => {
  const read = v.safeParse(ofKinds, dataset.value);
  if (!read.success) return;
  for (const fault of kindFaults(read.output)) addIssue({ message: fault[1], path: buildPath(fault, {}) });
});

/** Checks how the fields of a body fit together, for every path that creates campaigns. */
function checked(fields: v.GenericSchema<unknown, Whole>) {
  return v.pipe(
    fields,
    fitsItsKind,
    v.forward(v.partialCheck([['category'], ['category_id']], hasOneCategory, oneOfBoth), ['category']),
    v.forward(v.partialCheck([['start_date'], ['expiration_date']], areInOrder, datesOutOfOrder), ['expiration_date']),
    v.forward(
      v.partialCheck(
        [['validity_timeframe'], ['start_date']],
        (body) => !body.validity_timeframe || Boolean(body.start_date),
        timeframeNeedsStart,
      ),
      ['validity_timeframe'],
    ),
    v.forward(
      v.partialCheck(
        [['start_date'], ['expiration_date'], ['voucher', 'start_date'], ['voucher', 'expiration_date']],
        areVouchersInOrder,
        `${datesOutOfOrder}, including at most one of the campaign itself`,
      ),
      ['voucher', 'expiration_date'],
    ),
    v.forward(
      v.partialCheck(
        [['start_date'], ['voucher', 'start_date'], ['voucher', 'validity_timeframe']],
        haveVouchersStart,
        timeframeNeedsStart,
      ),
      ['voucher', 'validity_timeframe'],
    ),
  );
}

/** The defaults match what existing clients know; see docs/campaigns.md#campaigns. */
export const createCampaignBody = checked(whole);

/** Describes the body of the path that creates only loyalty programmes. Fields that they need are required, and the defaults are theirs. */
export const createLoyaltyBody = checked(
  object({
    ...whole.entries,
    name: described(identifier, 'The name that operators see. Unique in the project.'),
    campaign_type: v.optional(v.picklist(['LOYALTY_PROGRAM']), 'LOYALTY_PROGRAM'),
    type: v.optional(whole.entries.type.wrapped, 'AUTO_UPDATE'),
    use_voucher_metadata_schema: v.optional(v.boolean(), false),
    voucher: voucherPart,
  }),
);

export type CreateCampaignBody = v.InferOutput<typeof createCampaignBody>;
