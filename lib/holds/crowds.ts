import type { Reading } from '../context.ts';
import { lacksCapacity } from '../table/conflicts.ts';
import type { Attributes } from '../table/item.ts';
import type { Key } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { type Block, countedByBlock, giveUp, resolveBlocks, takeBlock } from './block.ts';
import { type Held, holdLifeInMs, holdsOf, type Records } from './held.ts';
import { type HoldOutcome, hold } from './hold.ts';
import { unlessBusy } from './lapsed.ts';
import { nameOf } from './settled.ts';

/** When a container takes uses by the block, and what it has of them. */

/** So many holds at once are a crowd, and one that lasts so long is a rush: a single burst reserves nothing. */
const crowd = 10;
const rushAfterInMs = 100;
const rushLastsInMs = 10_000;
/** What a container uses in some seconds, within bounds. */
const smallest = 8;
const largest = 256;
const usedUpSoonInMs = 2_000;
const usedUpLateInMs = 8_000;
/** Of what is left, so that containers do not run dry while others have all of it. */
const partOfRest = 250;
/** A function that begins now ends long before the block lapses. */
const usableInMs = holdLifeInMs / 2;
const maxItems = 1_000;

interface Crowd {
  /** Since when it was met, and when last. */
  since: number;
  last: number;
  size: number;
  /** Those that no request of the container is using. */
  readonly free: Block[];
}

/** By the table's client, of which a container has one. */
const memories = new WeakMap<object, Map<string, Crowd>>();

function memoryOf({ container }: Pick<Table, 'container'>): Map<string, Crowd> {
  const memory = memories.get(container) ?? new Map<string, Crowd>();
  memories.set(container, memory);
  return memory;
}

function crowdAt(table: Table, key: Key): Crowd | undefined {
  return memoryOf(table).get(nameOf(table, key));
}

function noteCrowd({ table, now }: Reading, key: Key): void {
  const memory = memoryOf(table);
  const known = crowdAt(table, key);
  const time = now.getTime();
  const isOn = known && time - known.last < rushLastsInMs;
  const noted = { size: known?.size ?? smallest, free: known?.free ?? [], last: time };
  memory.delete(nameOf(table, key));
  memory.set(nameOf(table, key), { ...noted, since: isOn ? known.since : time });
  const [first] = memory.keys();
  if (memory.size > maxItems && first !== undefined) memory.delete(first);
}

const isRush = ({ since, last }: Crowd, now: Date) =>
  last - since >= rushAfterInMs && now.getTime() - last < rushLastsInMs;

/** How many uses to take at once; 0 where it would be too much of what is left. */
function sizeFor(crowd: Crowd, { hasRoom = () => true }: Held): number {
  let size = crowd.size;
  while (size > 1 && !hasRoom(size * partOfRest)) size = Math.floor(size / 2);
  return size > 1 ? size : 0;
}

function freeBlock({ free }: Crowd, { max }: Held, now: Date): { usable?: Block; stale: readonly Block[] } {
  const isUsable = (block: Block) =>
    !block.isOver && block.max === max?.value && now.getTime() - block.takenAt.getTime() < usableInMs;
  const stale: Block[] = [];
  for (let block = free.pop(); block; block = free.pop()) {
    if (isUsable(block)) return { usable: block, stale };
    stale.push(block);
  }
  return { stale };
}

/** Uses that were soon used up let the next block be larger, and keep the rush on. */
function noteUsedUp({ table }: Reading, { of, takenAt }: Block, now: Date): void {
  const crowd = crowdAt(table, of);
  if (!crowd) return;
  const tookInMs = now.getTime() - takenAt.getTime();
  if (tookInMs < usedUpSoonInMs) crowd.size = Math.min(largest, crowd.size * 2);
  if (tookInMs > usedUpLateInMs) crowd.size = Math.max(smallest, Math.floor(crowd.size / 2));
  if (tookInMs < usedUpLateInMs) crowd.last = Math.max(crowd.last, now.getTime());
}

/** The next use of the block, with the shared item as this use leaves it. */
function useOf(context: Reading, block: Block): { readonly block: Block; readonly item: Attributes } {
  block.left -= 1;
  const { item, attribute, left } = block;
  if (left === 0) noteUsedUp(context, block, context.now);
  return { block, item: { ...item, [attribute]: Number(item[attribute] ?? 0) - left } };
}

async function fromBlock(context: Reading, records: Records, held: Held) {
  const attribute = countedByBlock(held);
  const crowd = crowdAt(context.table, held.key);
  if (attribute === undefined || !crowd) return undefined;
  const { usable, stale } = freeBlock(crowd, held, context.now);
  for (const block of stale) if (!block.isOver) await giveUp(context, block);
  if (usable) return useOf(context, usable);
  const size = isRush(crowd, context.now) ? sizeFor(crowd, held) : 0;
  if (size === 0) return undefined;
  const block = await unlessBusy(takeBlock(context, records, held, { attribute, size }));
  return block && useOf(context, block);
}

/** As `hold`; in a rush of a block, which is then part of the transaction (`used`), and of nobody else until it is put back. */
export async function holdInCrowd(
  context: Reading,
  records: Records,
  held: Held,
  id: string,
): Promise<HoldOutcome & { readonly block?: Block }> {
  const fromOwn = await fromBlock(context, records, held);
  if (fromOwn) return { done: true, ...fromOwn };
  try {
    const outcome = await hold(context, records, held, id);
    if (outcome.done && holdsOf(outcome.item).size >= crowd) noteCrowd(context, held.key);
    if (outcome.done) await unlessBusy(resolveBlocks(context, { key: held.key, item: outcome.item }));
    return outcome;
  } catch (error) {
    const known = crowdAt(context.table, held.key);
    // An item that takes no more writes is as crowded.
    if (known && lacksCapacity(error)) noteCrowd(context, held.key);
    throw error;
  }
}

/** After the transaction: `isUnused` where it surely was not committed. */
export function putBack({ table }: Pick<Reading, 'table'>, block: Block, { isUnused = false } = {}): void {
  if (isUnused) block.left += 1;
  if (block.left > 0 && !block.isOver) crowdAt(table, block.of)?.free.push(block);
}
