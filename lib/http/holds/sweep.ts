import { becomesDue } from '../../table/due.ts';
import type { Attributes } from '../../table/item.ts';
import { keyOf } from '../../table/keys.ts';
import { Update } from '../../table/update.ts';
import { lookAt } from './block-item.ts';
import { type Holding, holdsOf, type Records } from './held.ts';
import { resolveLapsed } from './lapsed.ts';
import { resolveBlocks } from './open-blocks.ts';

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
