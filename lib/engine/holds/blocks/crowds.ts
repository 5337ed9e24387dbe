import type { Reading } from '#kernel/http/context.ts';
import { ignoreBusyTable, NoCapacityError } from '#kernel/table/conflicts.ts';
import type { Attributes } from '#kernel/table/item.ts';
import type { Key } from '#kernel/table/keys.ts';
import type { Hold } from '../hold.ts';
import { type Block, readRush } from '../items/block-item.ts';
import { holdLifeInMs, holdsStanding, type Records, readHolds } from '../items/hold-item.ts';
import { forgetRead } from '../recent-reads.ts';
import { crowdSize as crowdOfHolds, defaultStanding, type HoldOutcome, hold } from '../standing/hold.ts';
import { type BlockUse, readBlockUse, takeBlock } from './block.ts';
import { type Crowd, findCrowd, isCrowdMet, rememberCrowd } from './crowd-memory.ts';
import { giveBackBlock, resolveBlocks } from './open-blocks.ts';

/** Decides when a container reserves uses in blocks, and keeps the blocks. */

/** Marks an item for this time after a container has found it contended. */
const markLastsInMs = 10 * 60_000;
/** Limits a block to the uses of some seconds. */
const smallest = 8;
const largest = 256;
const usedUpSoonInMs = 2_000;
const usedUpLateInMs = 8_000;
/**
 * A block contains at most a sixteenth of the rest. Smaller parts lead to many single uses, which write the shared item
 * twice each.
 */
const partOfRest = 16;
/** A function that begins now ends long before its block lapses. */
const usableInMs = holdLifeInMs / 2;

/**
 * Returns the contention that the container has found, or that the item's mark names. `undefined` means that none is
 * known.
 */
function crowdOf({ table, now }: Reading, { key, read }: Hold): Crowd | undefined {
  const known = findCrowd(table, key);
  if (known && isCrowdMet(known, now)) return known;
  const mark = readRush(read, now);
  if (mark) return rememberCrowd(table, key, mark.size);
  if (Number(read?.[holdsStanding] ?? 0) >= crowdOfHolds) return met({ table, now }, key);
  return undefined;
}

function met({ table, now }: Pick<Reading, 'table' | 'now'>, key: Key, uses = smallest): Crowd {
  const crowd = rememberCrowd(table, key, uses);
  crowd.metAt = Math.max(crowd.metAt, now.getTime());
  return crowd;
}

/** Returns the number of uses for the next block. It is 1 if more would use too much of the rest. */
function usesFor({ uses: wanted }: Crowd, { hasRoom = () => true, by }: Hold, { amount }: BlockUse): number {
  if (Object.keys(by).length > 1) return 1;
  let uses = wanted;
  while (uses > 1 && !hasRoom(uses * amount * partOfRest)) uses = Math.floor(uses / 2);
  return uses;
}

/** Returns the container's first block with room for the use. Blocks without room are forgotten, and lapse. */
function freeBlock({ free }: Crowd, { max }: Hold, { amount }: BlockUse, now: Date): Block | undefined {
  const isUsable = (block: Block) =>
    !block.isOver &&
    block.left >= amount &&
    block.max === max?.value &&
    now.getTime() - block.takenAt.getTime() < usableInMs;
  for (let block = free.pop(); block; block = free.pop()) if (isUsable(block)) return block;
  return undefined;
}

/**
 * Adapts the size of the next block to the time in which this block was used up. A block that lasted at most 8 s
 * prolongs the use of blocks.
 */
function noteUsedUp({ table }: Reading, { of, takenAt }: Block, now: Date): void {
  const crowd = findCrowd(table, of);
  if (!crowd) return;
  const tookInMs = now.getTime() - takenAt.getTime();
  if (tookInMs < usedUpSoonInMs) crowd.uses = Math.min(largest, crowd.uses * 2);
  if (tookInMs > usedUpLateInMs) crowd.uses = Math.max(1, Math.floor(crowd.uses / 2));
  else crowd.metAt = Math.max(crowd.metAt, now.getTime());
}

interface FromBlock {
  readonly done: true;
  readonly block: Block;
  readonly item: Attributes;
}

/** Uses a block. The returned shared item includes this use. */
function takeUse(context: Reading, block: Block, { amount }: BlockUse): FromBlock {
  block.left -= amount;
  const { item, by, left } = block;
  if (left < amount) noteUsedUp(context, block, context.now);
  const seen = Object.entries(by).map(([name, each]) => [name, Number(item[name] ?? 0) - left * each]);
  return { done: true, block, item: { ...item, ...Object.fromEntries(seen) } };
}

interface Taking {
  readonly held: Hold;
  readonly use: BlockUse;
  readonly crowd: Crowd;
}

/** Reserves a new block. It is refused if the item has no room for it. */
async function fromNewBlock(
  context: Reading,
  records: Records,
  { held, use, crowd }: Taking,
  uses: number,
): Promise<FromBlock | Extract<HoldOutcome, { done: false }>> {
  const { now } = context;
  const until = new Date(now.getTime() + markLastsInMs).toISOString();
  const rush = isCrowdMet(crowd, now) ? { until, size: crowd.uses } : undefined;
  const wanted = { by: use.by, size: uses * use.amount, isSingle: uses === 1, rush };
  const taken = await ignoreBusyTable(takeBlock(context, records, held, wanted));
  if (!taken) throw new NoCapacityError('the table has no capacity for a block');
  return taken.block ? takeUse(context, taken.block, use) : { done: false, item: taken.item };
}

/**
 * Holds like `hold`. Under contention it uses a block, which is then part of the transaction (`used`). No other request
 * gets the block until it is put back.
 */
export async function holdInCrowd(
  context: Reading,
  records: Records,
  held: Hold,
  id: string,
): Promise<HoldOutcome & { readonly block?: Block }> {
  const use = readBlockUse(held);
  // A hold that replaces a session's lock does not lengthen the item.
  if (!use) return hold(context, records, held, id);
  const crowd = crowdOf(context, held);
  const own = crowd && freeBlock(crowd, held, use, context.now);
  if (own) return takeUse(context, own, use);
  const uses = crowd ? usesFor(crowd, held, use) : 1;
  const isFull = Number(held.read?.[holdsStanding] ?? 0) >= crowdOfHolds;
  if (crowd && (uses > 1 || isFull)) {
    const outcome = await fromNewBlock(context, records, { held, use, crowd }, uses);
    if (outcome.done || isFull) return outcome;
  }
  const outcome = await hold(context, records, held, id, defaultStanding);
  if (outcome.done) {
    if (readHolds(outcome.item).size >= crowdOfHolds) met(context, held.key);
    await ignoreBusyTable(resolveBlocks(context, { key: held.key, item: outcome.item }));
    return outcome;
  }
  if (!outcome.isFull) return outcome;
  const now = { held, use, crowd: met(context, held.key) };
  return fromNewBlock(context, records, now, uses > 1 ? 1 : usesFor(now.crowd, held, use));
}

/** Puts a block back after the transaction. `isUnused` says that the transaction certainly was not committed. */
export function putBlockBack(
  { table }: Pick<Reading, 'table'>,
  block: Block,
  { amount = 1, isUnused = false }: { readonly amount?: number; readonly isUnused?: boolean } = {},
): void {
  if (isUnused) {
    block.left += amount;
    forgetRead(table, block.of);
  }
  if (block.left > 0 && !block.isOver) findCrowd(table, block.of)?.free.push(block);
}

/** Gives a useless block back. */
export async function giveUpBlock(context: Pick<Reading, 'table' | 'now'>, block: Block): Promise<void> {
  block.isOver = true;
  forgetRead(context.table, block.of);
  await ignoreBusyTable(giveBackBlock(context, block.of, block.key));
}
