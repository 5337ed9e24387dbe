import * as v from 'valibot';
import { campaignOr404 } from '#engine/campaigns/find-campaign.ts';
import { checkLoyaltyCampaign } from '#engine/campaigns/programme.ts';
import { sentPoints } from '#engine/loyalty/sent-points.ts';
import { defined } from '#kernel/core/defined.ts';
import { described, named, shownAs } from '#kernel/core/documented.ts';
import { newPrefixedId } from '#kernel/core/ids.ts';
import { date, dateTime, listEnvelope, longText, object, reference, shortText, wrapList } from '#kernel/core/schema.ts';
import type { Reading } from '#kernel/http/context.ts';
import { computeOffset, pageQuery } from '#kernel/http/page.ts';
import { commit, insert } from '#kernel/table/effects.ts';
import { childKind } from '#kernel/table/kind.ts';
import { kinds } from '#kernel/table/kind-names.ts';
import { readChildren } from '#kernel/table/read.ts';
import { wholeRate } from '../liability/allocation.ts';

/** Limits the numbers of a price, so that points of any number stay within safe integers in practice. */
const mostOfPrice = 1_000_000_000;

const rate = v.pipe(v.number(), v.safeInteger('must be an integer'), v.minValue(0, 'must be 0 or more'));

const ofPrice = (least: number) =>
  v.pipe(
    v.number(),
    v.safeInteger('must be an integer'),
    v.minValue(least, `must be ${least} or more`),
    v.maxValue(mostOfPrice, `must be ${mostOfPrice} or less`),
  );

/** The price has two forms, because bodies may send points as texts. */
const priceOf = <S extends v.GenericSchema<unknown, number>>(points: S) =>
  described(
    object({
      amount: described(ofPrice(0), 'In minor currency units.'),
      points: described(points, 'The points that have this price.'),
    }),
    'The price of points that are redeemed for certain, such as 500 for 1,000 points.',
  );

const sentPrice = shownAs(v.pipe(sentPoints, ofPrice(1)), {
  anyOf: [
    { type: 'integer', minimum: 1, maximum: mostOfPrice },
    { type: 'string', pattern: '^[0-9]+$' },
  ],
});

const fields = {
  valid_from: described(
    date,
    'The first day of the estimate. It counts for all periods that end on that day or later.',
  ),
  expected_per_10000: described(
    v.pipe(rate, v.maxValue(wholeRate, `must be ${wholeRate} or less`)),
    'The points that members will redeem, of each 10,000 issued points. The rest is breakage.',
  ),
  point_price: priceOf(ofPrice(1)),
  rounding_amount: described(
    v.optional(ofPrice(1), 1),
    'The deferred part of sales is rounded to multiples of this amount, in minor currency units.',
  ),
  author: described(
    v.pipe(shortText, v.minLength(1, 'must not be empty')),
    'The author of the estimate, for auditors.',
  ),
  note: described(v.optional(longText), 'The reasons of the estimate, for auditors.'),
};

export const liabilityEstimateBody = object({
  campaign_id: described(reference, 'The id or the name of a loyalty campaign.'),
  ...fields,
  point_price: priceOf(sentPrice),
});

const estimateItem = v.object({ id: v.string(), campaign_id: v.string(), ...fields, created_at: dateTime });

export type Estimate = v.InferOutput<typeof estimateItem>;

/** Stores the estimates of a project, a few a year for each programme. They never change, so that closes can be explained. */
const estimates = childKind<typeof estimateItem, []>(
  { kind: kinds.liabilityEstimates },
  kinds.liabilityEstimate,
  estimateItem,
);

export const estimateReply = named(
  'LiabilityEstimate',
  v.object({ ...estimateItem.entries, object: v.literal('liability_estimate') }),
);

function showEstimate(item: Estimate): v.InferOutput<typeof estimateReply> {
  return { ...item, object: 'liability_estimate' };
}

/** Stores an estimate. Answers 404 for a campaign that is not a loyalty programme. */
export async function createEstimate(
  context: Reading,
  { campaign_id, ...body }: v.InferOutput<typeof liabilityEstimateBody>,
) {
  const { table, project, now } = context;
  const campaign = await campaignOr404(context, campaign_id);
  checkLoyaltyCampaign(campaign, campaign_id);
  const id = newPrefixedId('lest_', now);
  const item: Estimate = { ...defined(body), id, campaign_id: campaign.id, created_at: now.toISOString() };
  await commit(table, [insert(estimates(project.id, id), item)]);
  return showEstimate(item);
}

export const estimatesQuery = v.object({
  ...pageQuery,
  campaign_id: described(v.optional(reference), 'Only estimates of the loyalty campaign with this id.'),
});

export const estimatesReply = listEnvelope(estimateReply);

/** Lists estimates, newest first. */
export async function listEstimates({ table, project }: Reading, query: v.InferOutput<typeof estimatesQuery>) {
  const all = (await readChildren(table, estimates, project.id)).reverse();
  const found = all.filter(({ campaign_id }) => query.campaign_id === undefined || campaign_id === query.campaign_id);
  const offset = computeOffset(query);
  return wrapList(found.slice(offset, offset + query.limit).map(showEstimate), found.length);
}

/** Returns the estimates of a programme in the order of their creation. */
export async function readEstimates(
  { table, project }: Pick<Reading, 'table' | 'project'>,
  campaignId: string,
): Promise<Estimate[]> {
  const all = await readChildren(table, estimates, project.id);
  return all.filter(({ campaign_id }) => campaign_id === campaignId);
}

/**
 * Returns the estimate for a period that ends on this day. The last estimate wins, even among several of the same day.
 */
export function findEstimate(inOrder: readonly Estimate[], day: string): Estimate | undefined {
  return inOrder
    .filter(({ valid_from }) => valid_from <= day)
    .reduce<Estimate | undefined>((last, one) => (last && last.valid_from > one.valid_from ? last : one), undefined);
}
