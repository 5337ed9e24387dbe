import { setDue } from '#kernel/table/due.ts';
import type { Attributes } from '#kernel/table/item.ts';
import { keyOf } from '#kernel/table/keys.ts';
import { Update } from '#kernel/table/update.ts';
import { resolveBlocks } from './blocks/open-blocks.ts';
import { blocksUntil } from './items/block-item.ts';
import { type HoldContext, type Records, readHolds, redemptionRecords } from './items/hold-item.ts';
import { resolveLapsed } from './standing/lapsed-holds.ts';

/** Resolves holds of dead holders on a shared item that no request redeems any more. */

/** One round resolves 25 holds. The next sweep continues with the rest. */
const maxRounds = 8;

/** Every hold raises one of these attributes. */
const counts = ['redeemed_quantity', 'count'] as const;

/**
 * Returns whether the item has no holds left. Its next hold puts it into the list of due items again. `settle` adds to the last write,
 * which requires that the item's counts are unchanged.
 */
export async function sweepHolds(
  context: HoldContext,
  stored: Attributes,
  settle: (update: Update, item: Attributes) => Update = (update) => update,
  records: Records = redemptionRecords,
): Promise<boolean> {
  const { table } = context;
  const key = keyOf(stored);
  let item: Attributes | undefined = stored;
  for (let round = 0; round < maxRounds && item; round++) {
    item = await resolveLapsed(context, records, { key, item });
  }
  const [before] = await table.getMany([key]);
  await resolveBlocks(context, { key, item: before });
  const [after] = await table.getMany([key]);
  if (!after || readHolds(after).size > 0 || after[blocksUntil] !== undefined) return false;
  const open = new Update<{ dueAt?: string }>().whenThere().whenStill('dueAt', after.dueAt);
  const update: Update = setDue(open, key, undefined);
  for (const name of counts) update.whenStill(name, after[name]);
  return (await table.change(key, settle(update, after).build())).done;
}
