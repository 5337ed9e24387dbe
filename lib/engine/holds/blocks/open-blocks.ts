import { randomInt } from 'node:crypto';
import type { Reading } from '#kernel/http/context.ts';
import { again, pause, retryOptimistically } from '#kernel/table/conflicts.ts';
import { change, commitApart } from '#kernel/table/effects.ts';
import { type Attributes, parseStored } from '#kernel/table/item.ts';
import { type Key, keyOf, keyText, readProjectId } from '#kernel/table/keys.ts';
import { Update } from '#kernel/table/update.ts';
import {
  blockItem,
  blockKey,
  blockRanges,
  blocksTaken,
  blocksUntil,
  buryBlock,
  isBlockId,
  readBlockUnit,
  recalledUntil,
} from '../items/block-item.ts';
import { findHold, finishHold, type HoldContext, holdLifeInMs, readHolds } from '../items/hold-item.ts';

/** Gives back the rest of blocks: of dead or idle containers, or of all containers if the limit refuses a request. */

type Place = Pick<Reading, 'table' | 'now'>;

/** Limits the blocks in one transaction with the shared item. */
const atOnce = 40;
/** Blocks that lapse within this time are given back together. */
const betweenLooksInMs = 5_000;
/** If a recalling request dies, another request continues after this time. */
const recallLifeInMs = 2_000;
const longestWaitInMs = 60;

const after = (now: Date, inMs: number) => new Date(now.getTime() + inMs).toISOString();

/** Returns the holds of blocks whose containers have not settled them, by the keys of the blocks. */
function listUnsettled(of: Key, shared: Attributes | undefined): Map<string, string> {
  const ids = [...readHolds(shared).keys()].filter(isBlockId);
  return new Map(ids.map((id) => [keyText(blockKey(readProjectId(of), of, id)), id]));
}

/**
 * Gives each block back once. A container that still wants to use a block finds it deleted. Tombstones stay, because the insert of a block may
 * arrive late. The hold ends with the block, because a lapsed hold without its block would be given back again.
 */
async function takeBack({ table, now: moment }: Place, of: Key, keys: readonly Key[]): Promise<void> {
  let most = atOnce;
  let open = keys;
  await retryOptimistically(table, async () => {
    const now = open.slice(0, most);
    const [shared, ...found] = await table.getMany([of, ...now]);
    const blocks = found.flatMap((stored) =>
      stored ? [{ key: keyOf(stored), ...parseStored(blockItem, stored) }] : [],
    );
    const unsettled = listUnsettled(of, shared);
    const removed = blocks.map(({ key, used }) =>
      change(key, (update: Update<typeof blockItem>) => buryBlock(update.whenStill('used', used), moment)),
    );
    const off = change(of, (update) => {
      update.whenThere();
      for (const block of blocks) {
        const id = unsettled.get(keyText(block.key));
        if (id !== undefined) finishHold(update, findHold(shared, id));
        for (const [name, amount] of Object.entries(readBlockUnit(block))) {
          if (block.used < block.size) update.add(name, (block.used - block.size) * amount);
        }
      }
      return update;
    });
    if (blocks.length > 0 && !(await commitApart(table, shared ? [...removed, off] : removed))) {
      // A block in use must not keep others from being given back.
      most = Math.max(1, Math.floor(most / 4));
      return again;
    }
    open = open.slice(now.length);
    return open.length === 0 || again;
  });
}

/** Subtracts the rest of a block from the count. */
export async function giveBackBlock(context: Place, of: Key, key: Key): Promise<void> {
  await takeBack(context, of, [key]);
}

async function readOpen({ table, project }: HoldContext, key: Key) {
  const found = await Promise.all(blockRanges(project.id, key).map((all) => table.query(all)));
  // A tombstone marks a block that never existed.
  const stored = found.flat().filter((one) => one.deleted_at === undefined);
  return stored.map((one) => ({ key: keyOf(one), ...parseStored(blockItem, one) }));
}

const isComing = (item: Attributes | undefined) => [...readHolds(item).keys()].some(isBlockId);

/** Gives back the rest of lapsed blocks. Returns the time when the first open block lapses. */
async function resolveAll(context: HoldContext, key: Key): Promise<string | undefined> {
  const open = await readOpen(context, key);
  const now = context.now.toISOString();
  const lapsed = open.filter(({ until }) => until < now);
  if (lapsed.length > 0) {
    await takeBack(
      context,
      key,
      lapsed.map((one) => one.key),
    );
  }
  const [first] = open
    .map(({ until }) => until)
    .filter((until) => until >= now)
    .sort();
  return first;
}

/**
 * Gives back the rest of lapsed blocks, if it is time to look for them. `true` means that another request is doing so,
 * and that the count must be read again.
 */
export async function resolveBlocks(
  context: HoldContext,
  { key, item }: { readonly key: Key; readonly item: Attributes | undefined },
): Promise<boolean> {
  const { table, now } = context;
  const at = item?.[blocksUntil];
  if (typeof at !== 'string' || at >= now.toISOString()) return false;
  const next = after(now, holdLifeInMs);
  // A single request looks. If it dies, another request looks a minute later.
  const claim = await table.change(key, new Update().whenStill(blocksUntil, at).set([blocksUntil], next).build());
  if (!claim.done) return true;
  const first = await resolveAll(context, key);
  const soonest = after(now, betweenLooksInMs);
  const update = new Update().whenStill(blocksUntil, next);
  if (first !== undefined) update.set([blocksUntil], first < soonest ? soonest : first);
  // The condition keeps the time if a container has reserved a block since, because that block relies on this look.
  else if (!isComing(claim.item)) update.whenStill(blocksTaken, claim.item[blocksTaken]).remove([blocksUntil]);
  if (update.changes) await table.change(key, update.build());
  return true;
}

const waitForOthers = async () => {
  await pause(randomInt(1, longestWaitInMs));
  return true;
};

/** Recalls the rest of other containers' blocks, except for single uses, which are about to commit. Returns whether the count changes. */
async function recallAll(context: HoldContext, key: Key, item: Attributes): Promise<boolean> {
  const open = await readOpen(context, key);
  const keys = open.filter((block) => !block.is_single).map((block) => block.key);
  if (keys.length > 0) await takeBack(context, key, keys);
  const update = new Update().remove([recalledUntil]);
  const isEmpty = keys.length === open.length && !isComing(item);
  const whole = new Update().remove([recalledUntil]).remove([blocksUntil]).whenStill(blocksTaken, item[blocksTaken]);
  const isForgotten = isEmpty && (await context.table.change(key, whole.build())).done;
  if (!isForgotten) await context.table.change(key, update.build());
  // A single use commits soon, or is given back. Until then no request may be refused because the code is used up.
  return keys.length > 0 || isComing(item) || (open.length > 0 && waitForOthers());
}

/** Returns whether the count of the item may include unused blocks. */
export function canHaveBlocks(item: Attributes): boolean {
  return item[blocksUntil] !== undefined || isComing(item);
}

/**
 * Recalls the rest of open blocks for a request that the limit refuses, because containers must not keep uses from it. `true` means that
 * the count must be read again.
 */
export async function recallBlocks(
  context: HoldContext,
  { key, item }: { readonly key: Key; readonly item: Attributes | undefined },
): Promise<boolean> {
  if (item === undefined) return false;
  if (item[blocksUntil] === undefined) return isComing(item) ? waitForOthers() : false;
  const { table, now } = context;
  const at = item[recalledUntil];
  if (typeof at === 'string' && at > now.toISOString()) return waitForOthers();
  const claimed = new Update().whenStill(recalledUntil, at).set([recalledUntil], after(now, recallLifeInMs));
  const claim = await table.change(key, claimed.build());
  if (!claim.done) return waitForOthers();
  return recallAll(context, key, claim.item);
}
