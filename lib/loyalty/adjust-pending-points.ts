import * as v from 'valibot';
import { untilAnswered } from '../conflicts.ts';
import { type ActivityItem, activityTypes, eventSourceOf } from '../customers/activity.ts';
import { notFound, ServiceError } from '../errors.ts';
import { newId, newTimedId } from '../ids.ts';
import { integer, object } from '../schema.ts';
import { keys } from '../table.ts';
import { UpdateExpression } from '../update-expression.ts';
import { voucherKeys } from '../vouchers/find-voucher.ts';
import type { VoucherItem } from '../vouchers/voucher.ts';
import { cardWrites } from './card.ts';
import { cardOr404, firstVoucher } from './find-card.ts';
import { type PendingPointsBalance, type PendingPointsItem, pendingPointsItem } from './pending-points.ts';
import type { Context } from './transfer-points.ts';

/** Contract, endpoint 9. */
export const adjustPendingPointsBody = object({
  points: v.pipe(
    integer,
    v.check((points) => points !== 0, 'must not be 0'),
  ),
});

async function readCard({ table, project }: Context, memberId: string, pendingPointsId: string) {
  const candidates = voucherKeys(project, memberId);
  const found = await table.getMany(candidates);
  const card = cardOr404(firstVoucher(found), memberId);
  const item = await table.get(keys.pendingPoints(project.id, card.id, pendingPointsId), pendingPointsItem);
  if (!item) throw notFound('pending_points', pendingPointsId);
  return { card, pending: item };
}

function adjusted(pending: PendingPointsItem, card: VoucherItem, points: number): { left: number; total: number } {
  const resource = { id: pending.id, type: 'pending_points' };
  if (pending.state !== 'PENDING') {
    throw new ServiceError('invalid_pending_points_state', {
      details: `the pending points are ${pending.state}, and only those that are PENDING can be adjusted`,
      resource,
    });
  }
  const left = pending.points + points;
  const total = card.pending_points + points;
  if (left <= 0 || !Number.isSafeInteger(left) || !Number.isSafeInteger(total)) {
    throw new ServiceError('invalid_amount', {
      details:
        left <= 0
          ? `points must leave more than 0 of the ${pending.points} points that are pending`
          : `points must leave at most ${Number.MAX_SAFE_INTEGER} points pending`,
      resource,
    });
  }
  return { left, total };
}

/** Contract, endpoint 9; errors as ruling E.5 names them. What is pending on the card is summed up on the card itself. */
export function adjustPendingPoints(
  context: Context,
  memberId: string,
  pendingPointsId: string,
  points: number,
): Promise<PendingPointsBalance> {
  const { table, project, now, caller } = context;
  return untilAnswered(table, async () => {
    const { card, pending } = await readCard(context, memberId, pendingPointsId);
    const { left, total } = adjusted(pending, card, points);
    const activity: ActivityItem = {
      id: newTimedId('activity', now),
      type: activityTypes.pendingPointsUpdated,
      created_at: now.toISOString(),
      group_id: newId('group'),
      code: card.code,
      ...(card.campaign_id ? { campaign_id: card.campaign_id, campaign_type: 'LOYALTY_PROGRAM' } : {}),
      data: {
        data: {
          voucher: { id: card.id, code: card.code, object: 'voucher' },
          pending_points: { id: pending.id, points: left, change: points, total },
        },
        event_source: eventSourceOf(caller),
      },
    };
    const { writes } = cardWrites(
      project.id,
      { before: card, after: { ...card, pending_points: total }, entries: [], activities: [activity] },
      now,
    );
    const change = new UpdateExpression()
      .whenStill('points', pending.points)
      .whenStill('state', pending.state)
      .set(['points'], left)
      .set(['updated_at'], now.toISOString())
      .build();
    const { done } = await table.commit([
      { key: keys.pendingPoints(project.id, card.id, pending.id), change },
      ...writes,
    ]);
    if (!done) return undefined;
    return {
      points,
      total,
      object: 'balance' as const,
      operation_type: 'MANUAL' as const,
      related_object: { type: 'voucher' as const, id: card.id },
    };
  });
}
