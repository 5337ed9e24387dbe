import * as v from 'valibot';
import { categoryEntries, namesOneCategory, oneOfBoth } from '../categories/choice.ts';
import { codeConfig } from '../codes/code-space.ts';
import {
  array,
  dateTime,
  duration,
  identifier,
  longText,
  nullable,
  object,
  reference,
  sentMetadata,
} from '../schema.ts';
import { discount } from '../terms/discount.ts';
import { areInOrder, datesOutOfOrder, timeframeNeedsStart, validityEntries } from '../validity/dates.ts';
import { validityTimeframe } from '../validity/validity.ts';
import { vouchersAreInOrder, vouchersHaveStart } from './voucher-dates.ts';

/** Of fields of metadata in one change. */
const maxUnset = 5_000;

const shared = {
  description: nullable(longText),
  ...validityEntries,
  activity_duration_after_publishing: nullable(duration),
  ...categoryEntries,
  metadata: nullable(sentMetadata),
  access_settings: nullable(sentMetadata),
};

/** Defaults are those that existing clients know; see docs/interface.md#campaigns. */
export const createCampaignBody = v.pipe(
  object({
    ...shared,
    name: nullable(identifier),
    type: v.optional(v.picklist(['AUTO_UPDATE', 'STATIC']), 'AUTO_UPDATE'),
    campaign_type: v.optional(v.picklist(['DISCOUNT_COUPONS']), 'DISCOUNT_COUPONS'),
    auto_join: v.optional(v.boolean(), false),
    join_once: v.optional(v.boolean(), false),
    use_voucher_metadata_schema: v.optional(v.boolean(), true),
    vouchers_count: v.optional(
      v.pipe(
        v.number(),
        v.integer('must be an integer'),
        v.minValue(0, 'must be 0 to 5000000'),
        v.maxValue(5_000_000, 'must be 0 to 5000000'),
      ),
      0,
    ),
    validation_rules: v.optional(array(reference, 1, 'rule')),
    voucher: v.optional(
      object({
        type: v.optional(v.picklist(['DISCOUNT_VOUCHER']), 'DISCOUNT_VOUCHER'),
        discount: v.optional(discount),
        redemption: v.optional(
          object({
            quantity: nullable(v.pipe(v.number(), v.integer('must be an integer'), v.minValue(0, 'must be 0 or more'))),
          }),
        ),
        code_config: v.optional(codeConfig, {}),
        is_referral_code: v.optional(v.boolean()),
        start_date: nullable(dateTime),
        expiration_date: nullable(dateTime),
        validity_timeframe: nullable(validityTimeframe),
      }),
      {},
    ),
  }),
  v.forward(v.partialCheck([['category'], ['category_id']], namesOneCategory, oneOfBoth), ['category']),
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
      vouchersAreInOrder,
      `${datesOutOfOrder}, of which one may be the campaign's own`,
    ),
    ['voucher', 'expiration_date'],
  ),
  v.forward(
    v.partialCheck(
      [['start_date'], ['voucher', 'start_date'], ['voucher', 'validity_timeframe']],
      vouchersHaveStart,
      timeframeNeedsStart,
    ),
    ['voucher', 'validity_timeframe'],
  ),
);

/** What depends on the stored campaign is checked in the use case. */
export const updateCampaignBody = v.pipe(
  object({
    ...shared,
    auto_join: v.optional(v.boolean()),
    join_once: v.optional(v.boolean()),
    // STANDALONE is refused with a key of its own.
    type: v.optional(v.picklist(['AUTO_UPDATE', 'STATIC', 'STANDALONE'])),
    unset_metadata_fields: nullable(array(v.string(), maxUnset)),
    discount: nullable(discount),
  }),
  v.forward(v.partialCheck([['category'], ['category_id']], namesOneCategory, oneOfBoth), ['category']),
  v.forward(v.partialCheck([['start_date'], ['expiration_date']], areInOrder, datesOutOfOrder), ['expiration_date']),
);

export type CreateCampaignBody = v.InferOutput<typeof createCampaignBody>;
export type UpdateCampaignBody = v.InferOutput<typeof updateCampaignBody>;
