import type { Reading } from '../context.ts';
import { retryOptimistically } from '../table/conflicts.ts';
import { change, commitApart, type Effect, remove } from '../table/effects.ts';
import { type Attributes, parseStored } from '../table/item.ts';
import { type Key, keyOf, tableShape } from '../table/keys.ts';
import { type ItemKey, marks } from '../table/kind.ts';
import { Update } from '../table/update.ts';
import { blockItem, blockKey, blocksOf, blocksTaken, isBlockId, lookAt, newBlockId } from './block-item.ts';
import { givenBack, type Held, type Holding, holdLifeInMs, holdsOf, kept, type Records } from './held.ts';
import { hold } from './hold.ts';
import { unlessBusy } from './lapsed.ts';
import { sumOfLocks } from './locks.ts';

/**
 * Uses by the block. A hold writes the item that all share at each redemption, and stands on it meanwhile: a crowd makes the item long, and each
 * write dear. So in a rush a container counts several uses at once, and keeps them in an item of its own, which only it writes:
 * each redemption raises what is used of it in its own transaction. What is left when the block has lapsed comes off the count again.
 */

export interface Block {
  readonly key: ItemKey<typeof blockItem>;
  readonly of: ItemKey;
  readonly attribute: string;
  readonly size: number;
  /** As the container knows it; the item knows better. */
  left: number;
  /** The shared item as it was when all of the block was counted. */
  readonly item: Attributes;
  readonly max: number | undefined;
  readonly takenAt: Date;
  /** It was given back meanwhile. */
  isOver: boolean;
}

/** The attribute of what can be counted by the block: one use at a time, that is no session's. */
export function countedByBlock({ by, takes = {} }: Held): string | undefined {
  const [only, ...others] = Object.entries(by);
  return only?.[1] === 1 && others.length === 0 && Object.keys(takes).length === 0 ? only[0] : undefined;
}

const laterOf = (now: Date) => new Date(now.getTime() + holdLifeInMs).toISOString();

/** Items outlive what they are of; what nobody has asked for since stays counted. */
const keptForInS = 100 * 24 * 60 * 60;

/** `undefined`: there is not enough left for one, or someone else was faster; nothing is counted then. */
export async function takeBlock(
  context: Reading,
  records: Records,
  { key, max, when, endedAround = 0 }: Held,
  { attribute, size }: { readonly attribute: string; readonly size: number },
): Promise<Block | undefined> {
  const { table, project, now } = context;
  const id = newBlockId();
  const until = laterOf(now);
  const by = { [attribute]: size };
  const asked: Held = {
    key,
    by,
    ...(max ? { max } : {}),
    when: (update) => (when?.(update) ?? update).add(blocksTaken, 1),
  };
  const outcome = await hold(context, records, asked, id);
  if (!outcome.done) return undefined;
  const { item } = outcome;
  const locked = sumOfLocks(item, { now, endedAround }).quantity ?? 0;
  const isWithin = !max || Number(item[attribute] ?? 0) + locked <= max.value;
  const own = blockKey(project.id, key, id);
  const expiresAt = Math.floor(now.getTime() / 1_000) + keptForInS;
  const stored = { ...marks(own), size, used: 0, attribute, until, [tableShape.timeToLive]: expiresAt };
  const isKept = isWithin && (await table.insert(own, stored));
  const settled = isKept ? kept(new Update(), id) : givenBack(new Update(), id, { by });
  if (isKept && item[lookAt] === undefined) settled.set([lookAt], until);
  const isSettled = (await unlessBusy(table.change(key, settled.build())))?.done ?? false;
  await unlessBusy(resolveBlocks(context, { key, item }));
  // A block whose hold still stands must not be used up: without its item, the lapsed hold would give all of it back.
  if (!isKept || !isSettled) return undefined;
  return { key: own, of: key, attribute, size, left: size, item, max: max?.value, takenAt: now, isOver: false };
}

/** One use of the block, as part of the transaction that makes it; the last one takes the block away. */
export function used(block: Block): Effect {
  const { key, size, left } = block;
  const over = () => {
    block.isOver = true;
    return undefined;
  };
  if (left === 0) return remove(key, (update) => update.whenThere().whenStill('used', size - 1), over);
  return change(key, (update) => update.whenThere().whenBelow('used', size).add('used', 1), over);
}

/** What is left of a block comes off the count, once: whoever would still use it finds it gone. */
async function giveBackBlock({ table }: Pick<Reading, 'table'>, of: Key, key: Key): Promise<true> {
  return retryOptimistically(table, async () => {
    const [stored, shared] = await table.getMany([key, of]);
    if (!stored) return true;
    const { size, used, attribute } = parseStored(blockItem, stored);
    const gone = remove(key, (update) => update.whenStill('used', used));
    const off = change(of, (update) => update.whenThere().add(attribute, used - size));
    return (await commitApart(table, shared && used < size ? [gone, off] : [gone])) || undefined;
  });
}

/** For what nobody waits for. */
export async function giveUp(context: Pick<Reading, 'table'>, block: Block): Promise<void> {
  block.isOver = true;
  await unlessBusy(giveBackBlock(context, block.of, block.key));
}

/** Gives back what is left of those that have lapsed. Returns when the first of the others does. */
async function resolveAll({ table, project, now }: Holding, key: Key): Promise<string | undefined> {
  const found = await Promise.all(blocksOf(project.id, key).map((all) => table.query(all)));
  // Those that never came to be have left a tombstone.
  const there = found.flat().filter((one) => one.deleted_at === undefined);
  const untilOf = (one: Attributes) => parseStored(blockItem, one).until;
  const lapsed = there.filter((one) => untilOf(one) < now.toISOString());
  for (const one of lapsed) await giveBackBlock({ table }, key, keyOf(one));
  const [first] = there
    .map(untilOf)
    .filter((until) => until >= now.toISOString())
    .sort();
  return first;
}

/**
 * Gives back what is left of blocks whose containers are dead, or idle, once it is time to look for them. `true`: someone does so now, and
 * the count is to be read again.
 */
export async function resolveBlocks(
  context: Holding,
  { key, item }: { readonly key: Key; readonly item: Attributes | undefined },
): Promise<boolean> {
  const { table, now } = context;
  const at = item?.[lookAt];
  if (typeof at !== 'string' || at >= now.toISOString()) return false;
  const next = laterOf(now);
  // Of all who come now one looks. It may die: then it is looked again a minute later.
  const claim = await table.change(key, new Update().whenStill(lookAt, at).set([lookAt], next).build());
  if (!claim.done) return true;
  const first = await resolveAll(context, key);
  const update = new Update().whenStill(lookAt, next);
  const isComing = [...holdsOf(claim.item).keys()].some(isBlockId);
  if (first !== undefined) update.set([lookAt], first);
  // Whoever has taken one meanwhile relies on its being looked for.
  else if (!isComing) update.whenStill(blocksTaken, claim.item[blocksTaken]).remove([lookAt]);
  if (update.changes) await table.change(key, update.build());
  return true;
}
