import { becomesDue } from '../../table/due.ts';
import type { Attributes } from '../../table/item.ts';
import { keyOf } from '../../table/keys.ts';
import { Update } from '../../table/update.ts';
import { lookAt } from './block-item.ts';
import { type Holding, holdsOf, type Records } from './held.ts';
import { resolveLapsed } from './lapsed.ts';
import { resolveBlocks } from './open-blocks.ts';

/** Settles what dead holders left on a shared item that nobody redeems any more. */

/** One round resolves 25 holds; the next sweep goes on with the rest. */
const maxRounds = 8;

/** Every hold raises one of them. */
const counts = ['redeemed_quantity', 'count'] as const;

/**
 * Returns whether the item is settled. The first hold after that puts the item into the list of what is due again. `settle` adds to
 * the last write, on condition that the item's counts are still as it sees them.
 */
export async function sweepHolds(
  context: Holding,
  records: Records,
  stored: Attributes,
  settle: (update: Update, item: Attributes) => Update = (update) => update,
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
  if (!after || holdsOf(after).size > 0 || after[lookAt] !== undefined) return false;
  const update = becomesDue(new Update().whenThere().whenStill('dueAt', after.dueAt), key, undefined);
  for (const name of counts) update.whenStill(name, after[name]);
  return (await table.change(key, settle(update, after).build())).done;
}
