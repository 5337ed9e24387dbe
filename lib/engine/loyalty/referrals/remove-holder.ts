import { customers } from '#engine/customers/customer.ts';
import { readOccasion } from '#engine/ledger/activities/activity.ts';
import { heldVouchers } from '#engine/vouchers/held-card.ts';
import { referees } from '#engine/vouchers/referee.ts';
import { notFound, ServiceError } from '#kernel/core/errors.ts';
import type { Writing } from '#kernel/http/context.ts';
import { again, retryOptimistically } from '#kernel/table/conflicts.ts';
import { commit, remove } from '#kernel/table/effects.ts';
import { read } from '#kernel/table/read.ts';
import { findReferrer, type NamedCode, referralCodeOr404 } from './holder.ts';
import { recordHolder } from './holder-activity.ts';

/** Removes a holder. 404 if the code has no such holder, and 403 for the referrer. */
export async function removeHolder(context: Writing, named: NamedCode, holderId: string): Promise<void> {
  const { table, project } = context;
  const occasion = readOccasion(context);
  await retryOptimistically(table, async () => {
    const code = await referralCodeOr404(context, named);
    const key = referees(project.id, code.item.id, holderId);
    const { referee } = await read(table, { referee: key });
    if (!referee) {
      const isReferrer = (await findReferrer(context, code))?.id === holderId;
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
      ...(customer ? recordHolder(project.id, 'holderRemoved', { ...referee, role: 'REFEREE' }, code, occasion) : []),
    ]);
    return done || again;
  });
}
