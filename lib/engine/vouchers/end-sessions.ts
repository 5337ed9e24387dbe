import { readTerms } from '#engine/campaigns/campaign-terms.ts';
import { hasLock, lockedItem, unlock, unlockAll } from '#engine/holds/locks.ts';
import { notFound } from '#kernel/core/errors.ts';
import type { Showing } from '#kernel/http/context.ts';
import { again, retryOptimistically } from '#kernel/table/conflicts.ts';
import { change, commit } from '#kernel/table/effects.ts';
import { read } from '#kernel/table/read.ts';
import { voucherOr404 } from './find-voucher.ts';
import { vouchers } from './voucher.ts';

/** Releases what a session holds of the voucher, before the session ends. */
export async function endVoucherSession(context: Showing, codeOrId: string, sessionKey: string): Promise<void> {
  const { table, project, now } = context;
  const { id, type, campaign_id, redemption_quantity: limit } = await voucherOr404(context, codeOrId);
  const key = vouchers(project.id, id);
  await retryOptimistically(table, async () => {
    const [{ item }, campaigns] = await Promise.all([
      read(table, { item: { ...key, schema: lockedItem } }),
      readTerms(context, [campaign_id]),
    ]);
    const endedAround = campaigns.get(campaign_id ?? '')?.sessions_ended ?? 0;
    if (!hasLock(item, sessionKey, { now, endedAround })) {
      // A session holds nothing of a code without a limit, and leaves no trace. The caller finds it ended.
      if (type === 'DISCOUNT_VOUCHER' && (limit === null || limit === undefined)) return true;
      throw notFound('session', sessionKey);
    }
    return (await commit(table, [change(key, (update) => unlock(update.whenThere(), item, sessionKey))])) || again;
  });
}

/** Releases what all sessions hold of the voucher, and of the limits that count for it alone. */
export async function endVoucherSessions(context: Showing, codeOrId: string): Promise<void> {
  const { table, project } = context;
  const { id } = await voucherOr404(context, codeOrId);
  const key = vouchers(project.id, id);
  await retryOptimistically(table, async () => {
    const { item } = await read(table, { item: { ...key, schema: lockedItem } });
    if (!item) throw notFound('voucher', codeOrId);
    return (await commit(table, [change(key, (update) => unlockAll(update, item))])) || again;
  });
}
