import { notFound, ServiceError } from '../../core/errors.ts';
import { customers } from '../../customers/customer.ts';
import type { Writing } from '../../http/context.ts';
import { occasionOf } from '../../ledger/activities/activity.ts';
import { again, retryOptimistically } from '../../table/conflicts.ts';
import { commit, remove } from '../../table/effects.ts';
import { read } from '../../table/read.ts';
import { heldVouchers } from '../../vouchers/held-card.ts';
import { referees } from '../../vouchers/referee.ts';
import { type Named, referralCodeOr404, referrerOf } from './holder.ts';
import { holderActivity } from './tell.ts';

/** Removes a holder. 404 if the code has no such holder, and 403 for the referrer. */
export async function removeHolder(context: Writing, named: Named, holderId: string): Promise<void> {
  const { table, project } = context;
  const occasion = occasionOf(context);
  await retryOptimistically(table, async () => {
    const code = await referralCodeOr404(context, named);
    const key = referees(project.id, code.item.id, holderId);
    const { referee } = await read(table, { referee: key });
    if (!referee) {
      const isReferrer = (await referrerOf(context, code))?.id === holderId;
      if (!isReferrer) throw notFound('redeemable_holder', holderId);
      throw new ServiceError('forbidden', {
        details: 'the referrer of a code stays its holder',
        resource: { id: holderId, type: 'redeemable_holder' },
      });
    }
    const { id, customer_id } = referee;
    const { customer } = await read(table, { customer: customers(project.id, customer_id) });
    const done = await commit(table, [
      remove(key, (update) => update.whenStill('id', id)),
      remove(heldVouchers(project.id, customer_id, code.item.id), (update) => update.whenUnsetOr('referee', id)),
      ...(customer ? holderActivity(project.id, 'holderRemoved', { ...referee, role: 'REFEREE' }, code, occasion) : []),
    ]);
    return done || again;
  });
}
