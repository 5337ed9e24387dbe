import * as v from 'valibot';
import { noCategories } from '#engine/rules/categories/resource.ts';
import { described, named } from '#kernel/core/documented.ts';
import { count } from '#kernel/core/schema.ts';
import type { Reading } from '#kernel/http/context.ts';
import { dateOrTime } from '#kernel/http/page.ts';
import { campaign, presentCampaign } from './campaign-reply.ts';
import { sumCounts } from './counters.ts';
import { campaignOr404 } from './find-campaign.ts';
import type { CampaignType } from './kinds.ts';

const ofAll = [
  ...['redemptions', 'redemptions_succeeded', 'redemptions_failed'],
  ...['rollbacks', 'rollbacks_succeeded', 'rollbacks_failed'],
  ...['validations', 'validations_succeeded', 'validations_failed'],
  ...['orders_amount', 'orders_rolledback_amount'],
];

const ofVouchers = [
  ...['vouchers_created', 'vouchers_deleted'],
  ...['publications', 'publications_succeeded', 'publications_failed'],
];

const ofDiscounts = ['discounted_amount', 'rolledback_discounted_amount'];

/** Lists the counters of each kind of campaign, in the order shown. */
const countersOfKind: Readonly<Record<CampaignType, readonly string[]>> = {
  DISCOUNT_COUPONS: [...ofAll, ...ofVouchers, ...ofDiscounts],
  REFERRAL_PROGRAM: [...ofAll, ...ofVouchers, ...ofDiscounts, 'referred_customers'],
  PROMOTION: [...ofAll, ...ofDiscounts],
  GIFT_VOUCHERS: [
    ...[...ofAll, ...ofVouchers, 'created_vouchers_amount', 'amount_added', 'amount_subtracted', 'amount_deleted'],
    ...['amount_redeemed', 'amount_rolledback'],
  ],
  LOYALTY_PROGRAM: [
    ...[...ofAll, ...ofVouchers, 'created_vouchers_points', 'points_deleted', 'points_subtracted', 'points_added'],
    ...['points_rewarded', 'points_redeemed', 'points_rolledback', 'points_expired'],
    ...['points_transferred_out', 'points_transferred_in', 'pending_points_added', 'pending_points_subtracted'],
    ...['pending_points_activated', 'pending_points_canceled'],
  ],
};

const names = [...new Set(Object.values(countersOfKind).flat())];

/** A date and time counts as its day, as written. */
const day = v.pipe(
  dateOrTime,
  v.transform((text) => text.slice(0, 'YYYY-MM-DD'.length)),
);

export const summaryQuery = v.pipe(
  v.object({
    start_date: described(
      v.optional(day),
      "The first day that counts, in the project's time zone. A moment means its day, as written.",
    ),
    end_date: described(v.optional(day), "The last day that counts, in the project's time zone."),
  }),
  v.forward(
    v.partialCheck(
      [['start_date'], ['end_date']],
      ({ start_date, end_date }) => !start_date || !end_date || start_date <= end_date,
      'must not be before start_date',
    ),
    ['end_date'],
  ),
);

/** Shows the counters of the campaign's kind. */
export const campaignSummary = named(
  'CampaignSummary',
  v.object({
    object: v.literal('campaign_summary'),
    campaign,
    ...Object.fromEntries(names.map((name) => [name, v.optional(count)])),
  }),
);

/** Sums the events of a campaign. Leaves out events from before they were counted. */
export async function summariseCampaign(
  context: Reading,
  idOrName: string,
  { start_date: from, end_date: to }: v.InferOutput<typeof summaryQuery>,
): Promise<v.InferOutput<typeof campaignSummary>> {
  const item = await campaignOr404(context, idOrName);
  const { access_settings_assignments, ...shown } = presentCampaign(
    { project: context.project },
    {
      item,
      categories: noCategories,
    },
  );
  const found = await sumCounts(context, item.id, { from, to });
  const attempts = ['publications', 'redemptions', 'rollbacks', 'validations'].map((name) => [
    name,
    (found[`${name}_succeeded`] ?? 0) + (found[`${name}_failed`] ?? 0),
  ]);
  const counts: Readonly<Record<string, number>> = { ...found, ...Object.fromEntries(attempts) };
  const own = countersOfKind[item.campaign_type].map((name) => [name, counts[name] ?? 0]);
  return { object: 'campaign_summary', campaign: shown, ...Object.fromEntries(own) };
}
