import * as v from 'valibot';
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
import { validityDates, validityHoursApart, validityTimeframe } from '../validity/validity.ts';

/** Of fields of metadata in one change. */
const maxUnset = 5_000;

/** When something is valid, as bodies of campaigns and promotion tiers say it. */
export const validityEntries = { ...validityDates, validity_hours: nullable(validityHoursApart) };

/** One of both names the category. */
export const categoryEntries = { category: nullable(reference), category_id: nullable(reference) };

const shared = {
  description: nullable(longText),
  ...validityEntries,
  activity_duration_after_publishing: nullable(duration),
  ...categoryEntries,
  metadata: nullable(sentMetadata),
  access_settings: nullable(sentMetadata),
};

interface Dates {
  start_date?: string | null | undefined;
  expiration_date?: string | null | undefined;
  validity_timeframe?: object | null | undefined;
}

/** A campaign with what it gives its vouchers. */
interface CampaignDates extends Dates {
  voucher?: Dates | undefined;
}

/** Dates that are checked together, so a change of one requires that the others have not moved since. */
export const dateNames = ['start_date', 'expiration_date', 'validity_timeframe'] as const;

export const datesOutOfOrder = 'must not be before start_date';

/** ISO 8601 in UTC with milliseconds compares as text. */
export function areInOrder({ start_date, expiration_date }: Dates): boolean {
  return !start_date || !expiration_date || start_date <= expiration_date;
}

export const timeframeNeedsStart = 'needs a start_date, from which its periods count';

/** Whether periods count from a start that the dates don't have. */
export function hasNoStart({ start_date, validity_timeframe }: Dates): boolean {
  return Boolean(validity_timeframe) && !start_date;
}

/** Faults of dates that stand together, each with its place. */
export function* dateRules(dates: Dates, prefix = ''): Generator<string> {
  if (!areInOrder(dates)) yield `${prefix}expiration_date ${datesOutOfOrder}`;
  if (hasNoStart(dates)) yield `${prefix}validity_timeframe ${timeframeNeedsStart}`;
}

function datesAfter(stored: Dates, body: Dates): Dates {
  const after = <K extends keyof Dates>(name: K) => (body[name] === undefined ? stored[name] : body[name]);
  return {
    start_date: after('start_date'),
    expiration_date: after('expiration_date'),
    validity_timeframe: after('validity_timeframe'),
  };
}

/** Faults of an update's dates beside those that the resource keeps. */
export function dateFaults(owner: string, stored: Dates, body: Dates): string[] {
  const after = datesAfter(stored, body);
  const faults: string[] = [];
  if (!areInOrder(after)) faults.push(`expiration_date ${datesOutOfOrder}, of which one is the ${owner}'s own`);
  if (after.validity_timeframe && !after.start_date) faults.push(`validity_timeframe ${timeframeNeedsStart}`);
  return faults;
}

/** A voucher's dates: from the campaign's `voucher` part, else the campaign's own. */
function voucherDates({ voucher = {}, ...own }: CampaignDates): Dates {
  return {
    start_date: voucher.start_date ?? own.start_date,
    expiration_date: voucher.expiration_date ?? own.expiration_date,
  };
}

/** A campaign whose own dates are not in order is refused for those. */
function vouchersAreInOrder(campaign: CampaignDates): boolean {
  return areInOrder(voucherDates(campaign)) || !areInOrder(campaign);
}

function vouchersHaveStart(campaign: CampaignDates): boolean {
  return !campaign.voucher?.validity_timeframe || Boolean(voucherDates(campaign).start_date);
}

/** What of the dates of an update does not go with the `voucher` part, which it can't change. */
export function voucherDateFaults(stored: CampaignDates, body: Dates): string[] {
  const { voucher } = stored;
  const after = { ...datesAfter(stored, body), voucher };
  // Of the other date the vouchers have one of their own.
  const place = voucher?.start_date ? 'expiration_date' : 'start_date';
  const faults: string[] = [];
  if (body[place] && !vouchersAreInOrder(after)) {
    const [when, end] = voucher?.start_date ? ['before', 'start'] : ['after', 'end'];
    faults.push(`${place} must not be ${when} the ${end} that the campaign gives its vouchers`);
  }
  if (body.start_date === null && !vouchersHaveStart(after)) {
    faults.push("start_date must be there: the timeframe of the campaign's vouchers counts from it");
  }
  return faults;
}

export const oneOfBoth = 'must not be sent together with category_id';

/** Also for other bodies that name a category by name or id. */
export function namesOneCategory(body: { category?: unknown; category_id?: unknown }): boolean {
  return !(body.category && body.category_id);
}

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
