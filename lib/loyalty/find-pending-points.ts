import { notFound, ServiceError } from '../core/errors.ts';
import type { Showing } from '../http/context.ts';
import { type PendingPointsItem, pendingPoints } from '../ledger/pending-points.ts';
import { read } from '../table/read.ts';
import type { VoucherItem } from '../vouchers/voucher.ts';
import { findCard } from './find-card.ts';

/** Finds pending points to change. 404 if the card has none with this id, and 400 if they are no longer PENDING. */
export async function findPending(
  context: Showing,
  memberId: string,
  pendingPointsId: string,
): Promise<{ card: VoucherItem; pending: PendingPointsItem }> {
  const { table, project } = context;
  const card = await findCard(context, memberId);
  const { pending } = await read(table, { pending: pendingPoints(project.id, card.id, pendingPointsId) });
  if (!pending) throw notFound('pending_points', pendingPointsId);
  if (pending.state !== 'PENDING') {
    throw new ServiceError('invalid_pending_points_state', {
      details: `the pending points are ${pending.state}, and only those that are PENDING can be changed`,
      resource: { id: pending.id, type: 'pending_points' },
    });
  }
  return { card, pending };
}
