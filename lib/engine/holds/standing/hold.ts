import type { Reading } from '#kernel/http/context.ts';
import { ignoreBusyTable } from '#kernel/table/conflicts.ts';
import { dueAttributes } from '#kernel/table/due.ts';
import type { Attributes } from '#kernel/table/item.ts';
import type { ItemKey } from '#kernel/table/kind.ts';
import { Update } from '#kernel/table/update.ts';
import type { Hold } from '../hold.ts';
import {
  findHold,
  finishHold,
  type HoldRef,
  holdLifeInMs,
  holdName,
  holdNumberName,
  holdsStanding,
  holdsTaken,
  newHold,
  type Records,
  readHolds,
  revertHold,
} from '../items/hold-item.ts';
import { recallHolds, rememberHolds, resolveLapsed } from './lapsed-holds.ts';

/**
 * Holds limits that many requests share. DynamoDB cancels transactions that overlap on an item, but queues single
 * updates of an item. An update of the shared item alone therefore counts first, under the id of the record that the
 * transaction will insert. A refused transaction releases the hold, and a committed transaction settles it. The hold of
 * a dead holder lapses.
 */

/** The result of a hold: the item after the hold, or the item that refused it. */
export type HoldOutcome =
  | { readonly done: true; readonly item: Attributes }
  | {
      readonly done: false;
      readonly item: Attributes | undefined;
      /** Only the number of holds on the item prevented this hold. */
      readonly isFull?: boolean;
    };

/** Limits the holds on an item, and the life of the new hold. */
interface Standing {
  readonly most: number;
  readonly lifeInMs: number;
}

/** An item with this many holds is contended. The rest of the ten is for blocks, whose holds are short. */
export const crowdSize = 6;
export const defaultStanding: Standing = { most: crowdSize, lifeInMs: holdLifeInMs };
const unbounded: Standing = { most: Number.POSITIVE_INFINITY, lifeInMs: holdLifeInMs };
/** Limits the rounds. Each resolves some holds of dead holders, and one crash leaves few of them. */
const maxRounds = 8;

function updateOf(held: Hold, id: string, now: Date, { most, lifeInMs }: Standing, settled: readonly HoldRef[]) {
  const { key, by, max, takes = {}, when } = held;
  // A repeated attempt whose first reply was lost finds its own hold.
  const update = new Update()
    .whenStill(holdName(id), undefined)
    .add(holdsStanding, 1)
    .number(holdNumberName(id), holdsTaken);
  for (const [attribute, amount] of Object.entries(by)) update.add(attribute, amount);
  for (const [name, value] of Object.entries(takes)) update.whenStill(name, value).remove([name]);
  for (const one of settled) finishHold(update, one);
  if (Number.isFinite(most)) update.whenBelow(holdsStanding, most + settled.length);
  if (max) update.whenAtMost(max.attribute, max.value - (by[max.attribute] ?? 0));
  const stored = newHold(held, now, lifeInMs);
  update.set([holdName(id)], stored);
  for (const [name, value] of Object.entries(dueAttributes(key, new Date(stored.until).toISOString())))
    update.setOnce(name, value);
  return when?.(update) ?? update;
}

const isStanding = (item: Attributes | undefined, { id, no }: HoldRef) => {
  const found = readHolds(item).get(id);
  return found !== undefined && found.no === no;
};

/** Returns the result, or `undefined` if an obstacle was removed and another attempt can succeed. */
async function holdOnce(
  context: Reading,
  held: Hold,
  id: string,
  bound: Standing,
  settled: readonly HoldRef[],
): Promise<HoldOutcome | undefined> {
  const { table, now } = context;
  const outcome = await table.change(held.key, updateOf(held, id, now, bound, settled).build());
  if (outcome.done) return outcome;
  const { item } = outcome;
  if (item && holdName(id) in item) return { done: true, item };
  rememberHolds(table, held.key, item ? settled.filter((one) => isStanding(item, one)) : settled);
  if (!item) return outcome;
  if (settled.some((one) => !isStanding(item, one))) return undefined;
  return { ...outcome, isFull: Number(item[holdsStanding] ?? 0) >= bound.most + settled.length };
}

async function tryHold(context: Reading, held: Hold, id: string, bound: Standing): Promise<HoldOutcome> {
  for (;;) {
    const settledBefore = recallHolds(context.table, held.key);
    try {
      const outcome = await holdOnce(context, held, id, bound, settledBefore);
      if (outcome) return outcome;
    } catch (error) {
      rememberHolds(context.table, held.key, settledBefore);
      throw error;
    }
  }
}

/**
 * Counts a hold once for the id, which must be new. Resolves the holds of dead holders, and tries again if they were in the way. If it
 * throws, the hold may exist, and lapses.
 */
export async function hold(
  context: Reading,
  records: Records,
  held: Hold,
  id: string,
  bound = unbounded,
): Promise<HoldOutcome> {
  for (let round = 0; ; round++) {
    const outcome = await tryHold(context, held, id, bound);
    const at = { key: held.key, item: outcome.item };
    if (outcome.done) {
      await ignoreBusyTable(resolveLapsed(context, records, at));
      return outcome;
    }
    const resolved = round < maxRounds ? await resolveLapsed(context, records, at) : undefined;
    if (resolved === undefined) return outcome;
  }
}

/**
 * Gives a hold back once, after a transaction that certainly was not committed. `item` is the item after the hold. A hold with an unknown
 * outcome must lapse instead, which shows the outcome.
 */
export async function release(
  { table }: Reading,
  { key, by, takes }: Hold,
  id: string,
  item: Attributes | undefined,
): Promise<void> {
  const update = revertHold(new Update(), findHold(item, id), { by, took: takes });
  await ignoreBusyTable(table.change(key, update.build()));
}

/**
 * Settles a hold after the commit. Usually the container's next hold removes this hold. If the item is crowded, or a
 * session would find its lock in use, this call removes it. A hold that remains lapses, and its record shows that it
 * was committed.
 */
export async function settleHold({ table }: Reading, key: ItemKey, id: string, item: Attributes): Promise<void> {
  const holds = readHolds(item);
  const own = findHold(item, id);
  if (holds.size < crowdSize && holds.get(id)?.took === undefined) return rememberHolds(table, key, [own]);
  let all = [...recallHolds(table, key), own];
  while (all.length > 0) {
    const update = new Update();
    for (const one of all) finishHold(update, one);
    const outcome = await ignoreBusyTable(table.change(key, update.build()));
    // If the table is busy, the next hold removes them.
    if (!outcome) return rememberHolds(table, key, all);
    if (outcome.done) return;
    const { item: stored } = outcome;
    all = all.filter((one) => isStanding(stored, one));
  }
}
