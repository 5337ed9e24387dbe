import * as v from 'valibot';
import { pointsExpirationRules } from '#engine/ledger/lots.ts';
import { loyaltyTiersExpiration } from '#engine/ledger/tier-rules.ts';
import { categoryEntries, hasOneCategory, oneOfBoth } from '#engine/rules/categories/category-fields.ts';
import { gift, sentDiscount } from '#engine/rules/discounts/discount.ts';
import { areInOrder, datesOutOfOrder, validityEntries } from '#engine/rules/validity/dates.ts';
import { array, duration, longText, nullable, object, sentCount, sentMetadata } from '#kernel/core/schema.ts';
import { clientPublication, sentReferralProgram } from './campaign.ts';

/** A change removes at most this many fields of metadata. */
const maxUnset = 5_000;

/** Bodies that create and bodies that change a campaign share these fields. */
export const commonFields = {
  description: nullable(longText),
  ...validityEntries,
  activity_duration_after_publishing: nullable(duration),
  client_publication: nullable(clientPublication),
  ...categoryEntries,
  metadata: nullable(sentMetadata),
  access_settings: nullable(sentMetadata),
};

const changed = {
  ...commonFields,
  auto_join: v.optional(v.boolean()),
  join_once: v.optional(v.boolean()),
  // The use case refuses STANDALONE with its own error key.
  type: v.optional(v.picklist(['AUTO_UPDATE', 'STATIC', 'STANDALONE'])),
  unset_metadata_fields: nullable(array(v.string(), maxUnset)),
};

const ofTiers = {
  loyalty_tiers_expiration: nullable(loyaltyTiersExpiration),
  options: v.optional(object({ recalculate_tiers: v.optional(v.boolean(), false) }), {}),
};

const ofAnyKind = object({
  ...changed,
  discount: nullable(sentDiscount),
  gift: v.optional(gift),
  referral_program: nullable(sentReferralProgram),
  ...ofTiers,
});

const ofLoyalty = object({
  ...changed,
  loyalty_card: v.optional(object({ points: sentCount, expiration_rules: v.optional(pointsExpirationRules) })),
  ...ofTiers,
});

/** Holds the fields that any update may change. Each path accepts a subset. */
export type UpdateCampaignBody = Partial<v.InferOutput<typeof ofAnyKind>> & Partial<v.InferOutput<typeof ofLoyalty>>;

function checked(fields: v.GenericSchema<unknown, UpdateCampaignBody>) {
  return v.pipe(
    fields,
    v.forward(v.partialCheck([['category'], ['category_id']], hasOneCategory, oneOfBoth), ['category']),
    v.forward(v.partialCheck([['start_date'], ['expiration_date']], areInOrder, datesOutOfOrder), ['expiration_date']),
  );
}

/** Checks that depend on the stored campaign run in the use case, which ignores fields of other kinds of campaigns. */
export const updateCampaignBody = checked(ofAnyKind);

/** Changes a loyalty programme. `loyalty_card` applies to points and cards that are created after the change. */
export const updateLoyaltyBody = checked(ofLoyalty);
