import * as v from 'valibot';
import { activityTypes, readOccasion } from '#engine/ledger/activities/activity.ts';
import { makeCardActivity } from '#engine/ledger/card.ts';
import { cardEffects } from '#engine/ledger/card-effects.ts';
import { type PendingPointsItem, pendingData, pendingPoints } from '#engine/ledger/pending-points.ts';
import type { VoucherItem } from '#engine/vouchers/voucher.ts';
import { shownAs } from '#kernel/core/documented.ts';
import { ServiceError } from '#kernel/core/errors.ts';
import { object, sentInteger } from '#kernel/core/schema.ts';
import type { Writing } from '#kernel/http/context.ts';
import { again, retryOptimistically } from '#kernel/table/conflicts.ts';
import { change, commit } from '#kernel/table/effects.ts';
import { findPending, type PendingPointsBalance } from './pending-points.ts';

export const adjustPendingPointsBody = object({
  points: shownAs(
    v.pipe(
      sentInteger,
      v.check((points) => points !== 0, 'must not be 0'),
    ),
    { anyOf: [{ type: 'integer' }, { type: 'string', pattern: '^-?\\d{1,15}$' }], description: 'must not be 0' },
  ),
});

function adjusted(pending: PendingPointsItem, card: VoucherItem, points: number): { left: number; total: number } {
  const resource = { id: pending.id, type: 'pending_points' };
  const left = pending.points + points;
  const total = card.pending_points + points;
  // The points become points of the card later, in addition to all that it ever had.
  const most = Number.MAX_SAFE_INTEGER - card.credited_points - card.pending_points;
  if (left <= 0 || (points > 0 && points > most)) {
    throw new ServiceError('invalid_amount', {
      details:
        left <= 0
          ? `points must leave more than 0 of the ${pending.points} points that are pending`
          : `points must be at most ${most}: the card may have at most ${Number.MAX_SAFE_INTEGER} points, those that are pending included`,
      resource,
    });
  }
  return { left, total };
}

/** Changes pending points. The card stores the sum of its pending points. */
export function adjustPendingPoints(
  context: Writing,
  memberId: string,
  pendingPointsId: string,
  points: number,
): Promise<PendingPointsBalance> {
  const { table, project, now } = context;
  return retryOptimistically(table, async () => {
    const { card, pending } = await findPending(context, memberId, pendingPointsId);
    const { left, total } = adjusted(pending, card, points);
    const occasion = readOccasion(context);
    const activity = makeCardActivity({ item: card, programme: undefined }, occasion, {
      type: activityTypes.pendingPointsUpdated,
      data: {
        pending_points: { id: pending.id, points: left, change: points, total },
        ...pendingData(card, pending, { change: points, total }),
      },
    });
    const changed = { before: card, after: { ...card, pending_points: total }, entries: [], activities: [activity] };
    const done = await commit(table, [
      change(pendingPoints(project.id, card.id, pending.id), (update) =>
        update
          .whenStill('points', pending.points)
          .whenStill('state', pending.state)
          .set(['points'], left)
          .set(['updated_at'], now.toISOString()),
      ),
      ...cardEffects(project.id, changed, now).effects,
    ]);
    if (!done) return again;
    return {
      points,
      total,
      object: 'balance' as const,
      operation_type: 'MANUAL' as const,
      related_object: { type: 'voucher' as const, id: card.id },
    };
  });
}
