import { noteChange } from '#engine/ledger/codes/voucher-lists.ts';
import type { Showing } from '#kernel/http/context.ts';
import { again, readAfterWrite, retryOptimistically } from '#kernel/table/conflicts.ts';
import { change, commit } from '#kernel/table/effects.ts';
import { moveSwitched } from './change-metadata.ts';
import { showVoucher, voucherOr404 } from './find-voucher.ts';
import { type Voucher, vouchers } from './voucher.ts';

/** Switches a voucher on or off. Has no effect, not even on `updated_at`, if the voucher is already in that state. */
export async function switchVoucher(context: Showing, codeOrId: string, active: boolean): Promise<Voucher> {
  const { table, project, now } = context;
  const switched = await retryOptimistically(table, async () => {
    const item = await voucherOr404(context, codeOrId);
    if (item.active === active) return item;
    const after = { ...item, active, updated_at: now.toISOString() };
    const done = await commit(table, [
      change(vouchers(project.id, item.id), (update) =>
        moveSwitched(noteChange(update, project.id, item.id, after.updated_at), project.id, item, active)
          .whenThere()
          .set(['active'], active),
      ),
    ]);
    return done ? after : again;
  });
  return readAfterWrite(() => showVoucher(context, switched));
}
