import { dueAttributes } from '../../table/due.ts';
import type { Attributes } from '../../table/item.ts';
import type { ItemKey } from '../../table/kind.ts';
import { Update } from '../../table/update.ts';
import type { Reading } from '../context.ts';
import {
  givenBack,
  type Held,
  holdLifeInMs,
  holdName,
  holdsOf,
  kept,
  newHold,
  type Records,
  standing,
} from './held.ts';
import { resolveLapsed, unlessBusy } from './lapsed.ts';
import { recall, remember } from './settled.ts';

/**
 * Limits that many share. A transaction over an item that others write too is cancelled; updates of one item queue. So what is shared
 * is counted first, by an update of that item alone, and held under the id of what the transaction will insert. A transaction that
 * is refused releases the hold; one that was committed settles it; of who died, the hold lapses.
 */

/** With the item after the hold, or the item that refused it. */
export type HoldOutcome =
  | { readonly done: true; readonly item: Attributes }
  | {
      readonly done: false;
      readonly item: Attributes | undefined;
      /** Only the number of holds on the item was in the way. */
      readonly isFull?: boolean;
    };

/** How many holds may stand on an item before the new one, and how long the hold lasts. */
interface Standing {
  readonly most: number;
  readonly lifeInMs: number;
}

/** At so many holds an item is crowded. The rest of the ten is for those who take blocks, and stand there for moments. */
export const crowd = 6;
export const alone: Standing = { most: crowd, lifeInMs: holdLifeInMs };
const unbounded: Standing = { most: Number.POSITIVE_INFINITY, lifeInMs: holdLifeInMs };
/** Each round resolves some of what others left, of whom a refused hold meets no more than died in one crash. */
const maxRounds = 8;

function updateOf(held: Held, id: string, now: Date, { most, lifeInMs }: Standing, settled: readonly string[]) {
  const { key, by, max, takes = {}, when } = held;
  // A repeated attempt whose first reply was lost meets its own hold.
  const update = new Update().whenStill(holdName(id), undefined).add(standing, 1);
  for (const [attribute, amount] of Object.entries(by)) update.add(attribute, amount);
  for (const [name, value] of Object.entries(takes)) update.whenStill(name, value).remove([name]);
  for (const one of settled) kept(update, one);
  if (Number.isFinite(most)) update.whenBelow(standing, most + settled.length);
  if (max) update.whenAtMost(max.attribute, max.value - (by[max.attribute] ?? 0));
  const stored = newHold(held, now, lifeInMs);
  update.set([holdName(id)], stored);
  for (const [name, value] of Object.entries(dueAttributes(key, stored.until))) update.setOnce(name, value);
  return when?.(update) ?? update;
}

/** Mends the number of holds on the item, which a version that does not count them leaves wrong. */
async function mendStanding({ table }: Reading, { key }: Held, item: Attributes): Promise<boolean> {
  const actual = holdsOf(item).size;
  const counted = Number(item[standing] ?? 0);
  if (counted >= 0 && counted <= actual) return false;
  const update = new Update().whenStill(standing, item[standing]).set([standing], actual);
  await unlessBusy(table.change(key, update.build()));
  return true;
}

/** `undefined`: what stood in the way has been put right, and the hold is worth another attempt. */
async function holdOnce(
  context: Reading,
  held: Held,
  id: string,
  bound: Standing,
  settled: readonly string[],
): Promise<HoldOutcome | undefined> {
  const { table, now } = context;
  const outcome = await table.change(held.key, updateOf(held, id, now, bound, settled).build());
  if (outcome.done) return outcome;
  const { item } = outcome;
  if (item && holdName(id) in item) return { done: true, item };
  remember(table, held.key, item ? settled.filter((one) => holdName(one) in item) : settled);
  if (!item) return outcome;
  if (settled.some((one) => !(holdName(one) in item))) return undefined;
  const isFull = Number(item[standing] ?? 0) >= bound.most + settled.length;
  if (isFull && (await mendStanding(context, held, item))) return undefined;
  return { ...outcome, isFull };
}

async function tryHold(context: Reading, held: Held, id: string, bound: Standing): Promise<HoldOutcome> {
  for (;;) {
    const settledBefore = recall(context.table, held.key);
    try {
      const outcome = await holdOnce(context, held, id, bound, settledBefore);
      if (outcome) return outcome;
    } catch (error) {
      remember(context.table, held.key, settledBefore);
      throw error;
    }
  }
}

/**
 * Counts what is held, once for the id, which must be new. Meets holds of dead holders, and resolves them; where they stood in the way, tries again.
 * If it throws, the hold may be there, and lapses.
 */
export async function hold(
  context: Reading,
  records: Records,
  held: Held,
  id: string,
  bound = unbounded,
): Promise<HoldOutcome> {
  for (let round = 0; ; round++) {
    const outcome = await tryHold(context, held, id, bound);
    const at = { key: held.key, item: outcome.item };
    if (outcome.done) {
      await unlessBusy(resolveLapsed(context, records, at));
      await mendStanding(context, held, outcome.item);
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
  let all = [...recall(table, key), id];
  while (all.length > 0) {
    const update = new Update();
    for (const one of all) kept(update, one);
    const outcome = await unlessBusy(table.change(key, update.build()));
    // Where the table is busy, the next hold takes them off.
    if (!outcome) return remember(table, key, all);
    if (outcome.done) return;
    const there = holdsOf(outcome.item);
    all = all.filter((one) => there.has(one));
  }
}
