import { activityTypes, type Occasion } from '#engine/ledger/activities/activity.ts';
import { applyPostings, type ChangedCard, makeCardActivity } from '#engine/ledger/card.ts';
import { sumPoints } from '#engine/ledger/lots.ts';
import { endPending, type PendingPointsItem, pendingData, pendingPoints } from '#engine/ledger/pending-points.ts';
import type { MemberCard } from '#engine/vouchers/member-card.ts';
import type { VoucherItem } from '#engine/vouchers/voucher.ts';
import { change, type Effect } from '#kernel/table/effects.ts';
import type { OrderItem } from '../orders/resource.ts';
import type { TakenPoints } from './earned.ts';
import type { ReturnPlan } from './plan-return.ts';

/** Takes earned points from cards. */

/** Lowers or cancels pending points. */
export function lowerPending(projectId: string, item: PendingPointsItem, by: number, now: Date): Effect {
  if (by === item.points) return endPending(projectId, item, 'CANCELED', now);
  return change(pendingPoints(projectId, item.voucher_id, item.id), (update) =>
    update
      .whenStill('points', item.points)
      .whenStill('state', item.state)
      .set(['points'], item.points - by)
      .set(['updated_at'], now.toISOString()),
  );
}

export interface ReturnedBy {
  readonly returnId: string;
  readonly order: Pick<OrderItem, 'id' | 'source_id'>;
  readonly occasion: Occasion;
}

/** Takes earned points from a card, after points that the same return gives back to it. */
function takePoints(
  { points, pending, lots, missing }: TakenPoints,
  card: MemberCard,
  refunded: ChangedCard<VoucherItem> | undefined,
  { returnId, order, occasion }: ReturnedBy,
): ChangedCard<VoucherItem> {
  const taken = sumPoints(lots);
  const about = {
    order: { id: order.id, source_id: order.source_id ?? null },
    order_return: { id: returnId },
    ...(missing > 0 ? { missing } : {}),
  };
  const posting = { type: 'POINTS_RETURN' as const, points: -taken || 0, taken: lots, about };
  const isMoved = taken > 0 || missing > 0 || pending.length === 0;
  const base = { item: refunded?.after ?? card.item, programme: card.programme };
  const changed = applyPostings(base, occasion, isMoved && points > 0 ? [posting] : []);
  let total = changed.after.pending_points;
  const activities = pending.map(({ item, by }) => {
    total -= by;
    const isAll = by === item.points;
    return makeCardActivity(card, occasion, {
      type: isAll ? activityTypes.pendingPointsCanceled : activityTypes.pendingPointsUpdated,
      data: {
        pending_points: {
          id: item.id,
          points: isAll ? item.points : item.points - by,
          ...(isAll ? {} : { change: -by }),
          total,
        },
        ...pendingData(card.item, item, { change: -by, total }),
      },
    });
  });
  return {
    before: refunded?.before ?? card.item,
    after: { ...changed.after, pending_points: total },
    entries: [...(refunded?.entries ?? []), ...changed.entries],
    activities: [...(refunded?.activities ?? []), ...changed.activities, ...activities],
  };
}

/** Returns all changes of cards, each card once. */
export function takeEarnedPoints(
  { earned }: Pick<ReturnPlan, 'earned'>,
  refunded: readonly ChangedCard<VoucherItem>[],
  about: ReturnedBy,
): ChangedCard<VoucherItem>[] {
  const taken = earned.taken.flatMap((one) => (one.card ? [{ one, card: one.card }] : []));
  const isTaken = (id: string) => taken.some(({ card }) => card.item.id === id);
  return [
    ...refunded.filter(({ before }) => !isTaken(before.id)),
    ...taken.map(({ one, card }) =>
      takePoints(
        one,
        card,
        refunded.find(({ before }) => before.id === card.item.id),
        about,
      ),
    ),
  ];
}
