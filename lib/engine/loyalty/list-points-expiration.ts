import * as v from 'valibot';
import { compareLots, findLiveLots, type Lot, lotId } from '#engine/ledger/lots.ts';
import type { VoucherItem } from '#engine/vouchers/voucher.ts';
import { formatDay } from '#kernel/core/calendar.ts';
import { named } from '#kernel/core/documented.ts';
import { count, date, dateTime, wrapList } from '#kernel/core/schema.ts';
import type { Showing } from '#kernel/http/context.ts';
import { computeOffset, pageQuery } from '#kernel/http/page.ts';
import { type MemberPath, memberOr404 } from './member-path.ts';

export const pointsExpirationQuery = v.object(pageQuery);

/** Points of a card that expire together. A card has one such entry per day, with the card's own times. */
export const pointsBucket = named(
  'PointsBucket',
  v.object({
    id: v.string(),
    object: v.literal('loyalty_points_bucket'),
    voucher_id: v.string(),
    campaign_id: v.nullable(v.string()),
    bucket: v.object({ total_points: count }),
    status: v.literal('ACTIVE'),
    /** The last day (UTC). Absent if the points never expire. */
    expires_at: v.optional(date),
    created_at: dateTime,
    updated_at: v.nullable(dateTime),
  }),
);

function bucketOf(card: VoucherItem, lot: Lot): v.InferOutput<typeof pointsBucket> {
  return {
    id: lotId(card.id, lot),
    object: 'loyalty_points_bucket',
    voucher_id: card.id,
    campaign_id: card.campaign_id ?? null,
    bucket: { total_points: lot.points },
    status: 'ACTIVE',
    ...(lot.expires === null ? {} : { expires_at: lot.expires }),
    created_at: card.created_at,
    updated_at: card.updated_at ?? null,
  };
}

/** Lists a card's points in the order in which they are spent: the earliest expiration first. */
export async function listPointsExpiration(
  context: Showing,
  path: MemberPath,
  query: v.InferOutput<typeof pointsExpirationQuery>,
) {
  const card = await memberOr404(context, path);
  const lots = findLiveLots(card.lots, formatDay(context.now)).sort(compareLots);
  const offset = computeOffset(query);
  const page = lots.slice(offset, offset + query.limit);
  return wrapList(
    page.map((lot) => bucketOf(card, lot)),
    lots.length,
  );
}
