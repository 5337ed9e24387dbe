import type { Reading } from '../context.ts';
import { dueAttributes } from '../table/due.ts';
import type { Attributes } from '../table/item.ts';
import type { ItemKey } from '../table/kind.ts';
import { Update } from '../table/update.ts';
import { givenBack, type Held, holdName, holdsOf, newHold, type Records } from './held.ts';
import { resolveLapsed, unlessBusy } from './lapsed.ts';
import { recall, remember } from './settled.ts';

/**
 * Limits that many share. A transaction over an item that others write too is cancelled; updates of one item queue. So what is shared
 * is counted first, by an update of that item alone, and held under the id of what the transaction will insert. A transaction that
 * is refused releases the hold; one that was committed settles it; of who died, the hold lapses.
 */

/** With the item as it is after the hold, or as it stands in the way of it. */
export type HoldOutcome =
  | { readonly done: true; readonly item: Attributes }
  | { readonly done: false; readonly item: Attributes | undefined };

/** At how many holds an item is crowded: each write of it costs a unit a KB, and a hold is a tenth of one. */
const crowd = 10;
/** Each round resolves some of what others left, of whom a refused hold meets no more than died in one crash. */
const maxRounds = 8;

function updateOf({ by, max, takes = {}, when, ...held }: Held, id: string, now: Date, settled: readonly string[]) {
  // A repeated attempt whose first reply was lost meets its own hold.
  const update = new Update().whenStill(holdName(id), undefined);
  for (const [attribute, amount] of Object.entries(by)) update.add(attribute, amount);
  for (const [name, value] of Object.entries(takes)) update.whenStill(name, value).remove([name]);
  for (const one of settled) update.remove([holdName(one)]);
  if (max) update.whenAtMost(max.attribute, max.value - (by[max.attribute] ?? 0));
  const stored = newHold({ ...held, by, takes }, now);
  update.set([holdName(id)], stored);
  for (const [name, value] of Object.entries(dueAttributes(held.key, stored.until))) update.setOnce(name, value);
  return when?.(update) ?? update;
}

async function holdOnce({ table, now }: Reading, held: Held, id: string): Promise<HoldOutcome> {
  const settledBefore = recall(table, held.key);
  try {
    const outcome = await table.change(held.key, updateOf(held, id, now, settledBefore).build());
    if (outcome.done) return outcome;
    remember(table, held.key, settledBefore);
    return outcome.item && holdName(id) in outcome.item ? { done: true, item: outcome.item } : outcome;
  } catch (error) {
    remember(table, held.key, settledBefore);
    throw error;
  }
}

/**
 * Counts what is held, once for the id, which must be new. Meets holds of dead holders, and resolves them; where they stood in the way, tries again.
 * If it throws, the hold may be there, and lapses.
 */
export async function hold(context: Reading, records: Records, held: Held, id: string): Promise<HoldOutcome> {
  for (let round = 0; ; round++) {
    const outcome = await holdOnce(context, held, id);
    const at = { key: held.key, item: outcome.item };
    if (outcome.done) {
      await unlessBusy(resolveLapsed(context, records, at));
      return outcome;
    }
    const resolved = round < maxRounds ? await resolveLapsed(context, records, at) : undefined;
    if (resolved === undefined) return outcome;
  }
}

/**
 * Gives back what is held, once: after a transaction that surely was not committed. Where that is not known, the hold is left to
 * lapse, and it shows then.
 */
export async function release({ table }: Reading, { key, by, takes }: Held, id: string): Promise<void> {
  const update = givenBack(new Update(), id, { by, took: takes });
  await unlessBusy(table.change(key, update.build()));
}

/**
 * After the commit, with the item as the hold left it: the container's next hold takes this one off it, or this call where the item
 * was crowded, or a session would find its lock in use. One that stays behind lapses, and is found to have been committed.
 */
export async function settled({ table }: Reading, key: ItemKey, id: string, item: Attributes): Promise<void> {
  const holds = holdsOf(item);
  if (holds.size < crowd && holds.get(id)?.took === undefined) return remember(table, key, [id]);
  const all = [...recall(table, key), id];
  const update = new Update().whenThere();
  for (const one of all) update.remove([holdName(one)]);
  // Where the table is busy, the next hold takes them off.
  if ((await unlessBusy(table.change(key, update.build()))) === undefined) remember(table, key, all);
}
