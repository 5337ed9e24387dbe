import type { Showing } from '../context.ts';
import { notFound, ServiceError } from '../errors.ts';
import { type PendingPointsItem, pendingPoints } from '../ledger/pending-points.ts';
import { read } from '../table/read.ts';
import { voucherKeys } from '../vouchers/find-voucher.ts';
import type { VoucherItem } from '../vouchers/voucher.ts';
import { cardOr404, firstVoucher } from './find-card.ts';

/** Pending points of a card, to be changed: 404 where it has none of this id, 400 where they are not PENDING any more. */
export async function findPending(
  { table, project }: Showing,
  memberId: string,
  pendingPointsId: string,
): Promise<{ card: VoucherItem; pending: PendingPointsItem }> {
  const card = cardOr404(firstVoucher(await table.getMany(voucherKeys(project, memberId))), memberId);
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
