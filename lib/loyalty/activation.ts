import { formatDay } from '../core/calendar.ts';
import type { ActivityItem, Occasion } from '../ledger/activities/activity.ts';
import { type Card, makeCardActivity } from '../ledger/card.ts';
import { showEarnedWith } from '../ledger/earning-cause.ts';
import { findLastGoodDay } from '../ledger/lots.ts';
import type { Posting } from '../ledger/new-entry.ts';
import { type PendingPointsItem, pendingData } from '../ledger/pending-points.ts';

/** Returns the posting that credits pending points, under the rules for points that are credited now. */
export function makeActivation(pending: PendingPointsItem, now: Date): Posting {
  const { id, points, event, group_id: event_group_id, order, earning_rule_id, banner, expiration_rules } = pending;
  const earned = { event, event_group_id, order, earning_rule_id, banner, ...showEarnedWith(pending) };
  const about = { pending_points_id: id, ...earned };
  const expires = expiration_rules && findLastGoodDay(expiration_rules, formatDay(now));
  return { type: 'PENDING_POINTS_ACTIVATION', points, about, expires };
}

/** Returns the sum of the card's pending points without the ended ones, and an activity of its holder for each. */
export function subtractPending(
  card: Card,
  ended: readonly PendingPointsItem[],
  occasion: Occasion,
  type: string,
): { total: number; activities: ActivityItem[] } {
  let total = card.item.pending_points;
  const activities = ended.map((one) => {
    total -= one.points;
    const { id, points } = one;
    return makeCardActivity(card, occasion, {
      type,
      data: { pending_points: { id, points, total }, ...pendingData(card.item, one, { change: -points, total }) },
    });
  });
  return { total, activities };
}
