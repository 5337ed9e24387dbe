import { endAll, lockedItem } from '#engine/holds/locks.ts';
import { notFound } from '#kernel/core/errors.ts';
import type { Reading } from '#kernel/http/context.ts';
import { again, retryOptimistically } from '#kernel/table/conflicts.ts';
import { change, commit } from '#kernel/table/effects.ts';
import { read } from '#kernel/table/read.ts';
import { promotionTiers } from './promotion-tier.ts';

/** Releases the locks of all sessions on the limits that count for the tier alone. */
export async function endTierSessions({ table, project }: Reading, id: string): Promise<void> {
  const key = promotionTiers(project.id, id);
  await retryOptimistically(table, async () => {
    const { item } = await read(table, { item: { ...key, schema: lockedItem } });
    if (!item) throw notFound('promotion_tier', id);
    return (await commit(table, [change(key, (update) => endAll(update, item))])) || again;
  });
}
