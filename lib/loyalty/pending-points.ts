import * as v from 'valibot';
import { formatDay } from '../core/calendar.ts';
import { described, named } from '../core/documented.ts';
import { inZoneOf } from '../core/local-time.ts';
import { count, date, dateTime, integer } from '../core/schema.ts';
import {
  earnedBy,
  earnedWith,
  earningEvent,
  showEarnedWith,
  showEarningEvent,
  showEarningRule,
} from '../ledger/earning-cause.ts';
import type { PendingPointsItem } from '../ledger/pending-points.ts';

/** Shows the change as `points`, and the card's pending points afterwards as `total`. */
export const pendingPointsBalance = named(
  'PendingPointsBalance',
  v.object({
    points: integer,
    total: integer,
    object: v.literal('balance'),
    operation_type: v.literal('MANUAL'),
    related_object: v.object({ type: v.literal('voucher'), id: v.string() }),
  }),
);

export type PendingPointsBalance = v.InferOutput<typeof pendingPointsBalance>;

/** Shows pending points in lists. */
export const pendingPointsReply = named(
  'PendingPoints',
  v.object({
    id: v.string(),
    object: v.literal('pending_points'),
    voucher_id: v.string(),
    campaign_id: v.nullable(v.string()),
    /** The card's holder. */
    customer_id: v.nullable(v.string()),
    order_id: v.nullable(v.string()),
    points: count,
    activates_at: described(
      v.nullable(date),
      'The day (UTC) on which the card gets the points. It is null while they wait for an operator.',
    ),
    details: v.object({
      ...earningEvent,
      earning_rule: v.optional(earnedBy),
      ...earnedWith,
      order: v.optional(v.object({ id: v.string(), source_id: v.nullable(v.string()) })),
    }),
    created_at: v.nullable(dateTime),
    updated_at: v.nullable(dateTime),
  }),
);

export function presentPendingPoints(
  item: PendingPointsItem,
  card: { holder_id?: string | null | undefined; campaign_id?: string | null | undefined } | undefined,
  now: Date,
): v.InferOutput<typeof pendingPointsReply> {
  const { id, voucher_id, points, event, order } = item;
  const { activates_at, created_at = null, updated_at = null } = item;
  return {
    id,
    object: 'pending_points',
    voucher_id,
    campaign_id: item.campaign_id ?? card?.campaign_id ?? null,
    customer_id: card?.holder_id ?? null,
    order_id: order?.id ?? null,
    points,
    activates_at: activates_at === undefined ? null : formatDay(inZoneOf(now, new Date(activates_at))),
    details: {
      ...showEarningEvent(event, item.group_id),
      ...showEarningRule(item),
      ...showEarnedWith(item),
      ...(order ? { order } : {}),
    },
    created_at,
    updated_at,
  };
}
