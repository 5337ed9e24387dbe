import * as v from 'valibot';
import { array, dateTime, duration, identifier, metadata, nullable, object, reference } from '../schema.ts';
import { codeConfig } from './code-space.ts';
import { discount } from './discount.ts';
import { validityDayOfWeek, validityHoursApart, validityTimeframe } from './validity.ts';

/** DynamoDB takes 400 KB an item; what else a campaign or a promotion tier holds is small. */
export const maxMetadataBytes = 350_000;

/** Of fields of metadata in one change. */
const maxUnset = 5_000;

export const storedMetadata = v.pipe(
  metadata,
  v.check(
    (value) => Buffer.byteLength(JSON.stringify(value)) <= maxMetadataBytes,
    `must have at most ${maxMetadataBytes} bytes as JSON, for DynamoDB keeps its owner in one item of 400 KB`,
  ),
);

/** When something is valid, as campaigns and promotion tiers say it. */
export const validityEntries = {
  start_date: nullable(dateTime),
  expiration_date: nullable(dateTime),
  validity_timeframe: nullable(validityTimeframe),
  validity_day_of_week: nullable(validityDayOfWeek),
  validity_hours: nullable(validityHoursApart),
};

/** One of both names the category. */
export const categoryEntries = { category: nullable(reference), category_id: nullable(reference) };

const shared = {
  description: nullable(v.string()),
  auto_join: v.optional(v.boolean()),
  join_once: v.optional(v.boolean()),
  ...validityEntries,
  activity_duration_after_publishing: nullable(duration),
  ...categoryEntries,
  metadata: nullable(storedMetadata),
  access_settings: nullable(metadata),
};

interface Dates {
  start_date?: string | null | undefined;
  expiration_date?: string | null | undefined;
  validity_timeframe?: object | null | undefined;
}

/** Dates that go together: a change of one is made only while the others are as they were when it was checked. */
export const dateNames = ['start_date', 'expiration_date', 'validity_timeframe'] as const;

export const datesOutOfOrder = 'must not be before start_date';

/** ISO 8601 in UTC with milliseconds compares as text. */
export function areInOrder({ start_date, expiration_date }: Dates): boolean {
  return !start_date || !expiration_date || start_date <= expiration_date;
}

export const timeframeNeedsStart = 'needs a start_date, from which its periods count';

/** What of the dates of an update does not go with those that its owner keeps. */
export function dateFaults(owner: string, stored: Dates, body: Dates): string[] {
  const after = <K extends keyof Dates>(name: K) => (body[name] === undefined ? stored[name] : body[name]);
  const start_date = after('start_date');
  const faults: string[] = [];
  if (!areInOrder({ start_date, expiration_date: after('expiration_date') })) {
    faults.push(`expiration_date ${datesOutOfOrder}, of which one is the ${owner}'s own`);
  }
  if (after('validity_timeframe') && !start_date) faults.push(`validity_timeframe ${timeframeNeedsStart}`);
  return faults;
}

export const oneOfBoth = 'must not be sent together with category_id';

/** Also for other bodies that name a category by name or id. */
export function namesOneCategory(body: { category?: unknown; category_id?: unknown }): boolean {
  return !(body.category && body.category_id);
}

/** Contract, endpoint 5. */
export const createCampaignBody = v.pipe(
  object({
    ...shared,
    name: nullable(identifier),
    type: v.optional(v.picklist(['AUTO_UPDATE', 'STATIC']), 'AUTO_UPDATE'),
    campaign_type: v.optional(v.picklist(['DISCOUNT_COUPONS']), 'DISCOUNT_COUPONS'),
    use_voucher_metadata_schema: v.optional(v.boolean(), false),
    vouchers_count: v.optional(
      v.pipe(
        v.number(),
        v.integer('must be an integer'),
        v.minValue(0, 'must be 0 to 5000000'),
        v.maxValue(5_000_000, 'must be 0 to 5000000'),
      ),
      1,
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
);

/** Contract, endpoint 6. What depends on the stored campaign is checked against it. */
export const updateCampaignBody = v.pipe(
  object({
    ...shared,
    type: v.optional(v.picklist(['AUTO_UPDATE', 'STATIC', 'STANDALONE'])),
    unset_metadata_fields: nullable(array(v.string(), maxUnset)),
    discount: nullable(discount),
  }),
  v.forward(v.partialCheck([['category'], ['category_id']], namesOneCategory, oneOfBoth), ['category']),
  v.forward(v.partialCheck([['start_date'], ['expiration_date']], areInOrder, datesOutOfOrder), ['expiration_date']),
);

export type CreateCampaignBody = v.InferOutput<typeof createCampaignBody>;
export type UpdateCampaignBody = v.InferOutput<typeof updateCampaignBody>;
