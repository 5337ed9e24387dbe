import { randomInt } from 'node:crypto';
import type { Reading } from '#kernel/http/context.ts';
import { ignoreBusyTable, NoCapacityError, pause } from '#kernel/table/conflicts.ts';
import { change, type Effect } from '#kernel/table/effects.ts';
import type { Attributes } from '#kernel/table/item.ts';
import { tableShape } from '#kernel/table/keys.ts';
import { itemMarks } from '#kernel/table/kind.ts';
import { Update } from '#kernel/table/update.ts';
import type { Hold } from '../hold.ts';
import type { blockItem } from '../items/block-item.ts';
import {
  type Block,
  blockKey,
  blocksTaken,
  blocksUntil,
  buryBlock,
  newBlockId,
  rushMark,
} from '../items/block-item.ts';
import { findHold, finishHold, holdLifeInMs, type Records, recordHolds, revertHold } from '../items/hold-item.ts';
import { sumLocks } from '../locks.ts';
import { type HoldOutcome, hold } from '../standing/hold.ts';
import { resolveBlocks } from './open-blocks.ts';

/**
 * Reserves uses in blocks. A hold writes the shared item at each redemption. Under contention, a container therefore
 * counts several uses in a single write, and stores them in a separate item, which only that container writes. Each
 * redemption raises the used part in its own transaction. The hold of a block ends when the block's item exists. The
 * rest of a lapsed block is subtracted again.
 */

/** The amount of units of one use, and the amounts that each unit counts on the shared item. */
export interface BlockUse {
  readonly by: Readonly<Record<string, number>>;
  readonly amount: number;
}

/**
 * Returns the use of a hold, or `undefined` if the hold replaces a session's lock. Several attributes form a single
 * unit, because only a single use has these amounts.
 */
export function readBlockUse({ by, takes = {} }: Pick<Hold, 'by' | 'takes'>): BlockUse | undefined {
  if (Object.keys(takes).length > 0) return undefined;
  const [only, ...others] = Object.entries(by);
  if (!only || others.length > 0) return { by, amount: 1 };
  return { by: { [only[0]]: 1 }, amount: only[1] };
}

/** A hold of a block lasts for two calls. Correctness does not depend on it: a later block is refused. */
const underway = { most: 10, lifeInMs: 2_000 } as const;
const maxAttempts = 12;
const longestPauseInMs = 500;

/** The life of a stored block. The rest of a block that no request looks for in this time stays counted. */
const keptForInS = 100 * 24 * 60 * 60;

interface Wanted {
  /** The amounts of one unit. */
  readonly by: Readonly<Record<string, number>>;
  readonly size: number;
  readonly isSingle: boolean;
  /** The mark to put on the shared item. */
  readonly rush?: { readonly until: string; readonly size: number } | undefined;
}

/** Holds a block, and waits while too many other containers hold blocks. */
async function holdBlock(context: Reading, records: Records, held: Hold, id: string): Promise<HoldOutcome> {
  for (let attempt = 1; ; attempt++) {
    const outcome = await hold(context, records, held, id, underway);
    if (outcome.done || !outcome.isFull) return outcome;
    if (attempt === maxAttempts) throw new NoCapacityError('too many requests reserve blocks of the item');
    await pause(randomInt(1, Math.min(longestPauseInMs, 2 ** attempt * 16)));
  }
}

/** Returns the block, or the item that refused it. If it is refused, nothing is counted. */
export async function takeBlock(
  context: Reading,
  records: Records,
  { key, max, when, endedAround = 0 }: Hold,
  { by, size, isSingle, rush }: Wanted,
): Promise<{ readonly block: Block } | { readonly block?: never; readonly item: Attributes | undefined }> {
  const { table, project, now } = context;
  const id = newBlockId();
  const all = Object.fromEntries(Object.entries(by).map(([name, amount]) => [name, amount * size]));
  const asked: Hold = {
    key,
    by: all,
    ...(max ? { max } : {}),
    when: (update) => {
      if (rush) update.set([rushMark], rush);
      return (when?.(update) ?? update).add(blocksTaken, 1);
    },
  };
  const outcome = await holdBlock(context, records, asked, id);
  if (!outcome.done) return { item: outcome.item };
  const { item } = outcome;
  const locked = sumLocks(item, { now, endedAround }).quantity ?? 0;
  const isWithin = !max || Number(item[max.attribute] ?? 0) + locked <= max.value;
  const own = blockKey(project.id, key, id);
  const until = new Date(now.getTime() + holdLifeInMs).toISOString();
  const isKept =
    isWithin &&
    (await table.insert(own, {
      ...{ ...itemMarks(own), ...storedAs({ by, size, isSingle }, now), until },
      held: recordHolds(id, [{ key, item }]),
    }));
  const standing = findHold(item, id);
  const settled = isKept ? finishHold(new Update(), standing) : revertHold(new Update(), standing, { by: all });
  if (isKept && item[blocksUntil] === undefined) settled.set([blocksUntil], until);
  const isSettled = (await ignoreBusyTable(table.change(key, settled.build())))?.done ?? false;
  await ignoreBusyTable(resolveBlocks(context, { key, item }));
  // A block with a standing hold must not be used. Without its item, the lapsed hold would give the whole block back.
  if (!isKept || !isSettled) return { item };
  return {
    block: { key: own, of: key, by, size, isSingle, left: size, item, max: max?.value, takenAt: now, isOver: false },
  };
}

function storedAs({ by, size, isSingle }: Wanted, now: Date): Attributes {
  const entries = Object.entries(by);
  const [attribute = ''] = entries[0] ?? [];
  const isPlain = entries.length === 1 && entries[0]?.[1] === 1;
  const expiresAt = Math.floor(now.getTime() / 1_000) + keptForInS;
  return {
    ...{ size, used: 0, attribute, [tableShape.timeToLive]: expiresAt },
    ...(isPlain ? {} : { by }),
    ...(isSingle ? { is_single: true } : {}),
  };
}

/**
 * Returns the effect of a use on the block, for the transaction of the use. The last use leaves a tombstone, because the insert of the block
 * may arrive late, and would give its uses away again.
 */
export function useBlock(block: Block, amount: number, now: Date): Effect {
  const { key, size, left } = block;
  const over = () => {
    block.isOver = true;
    return undefined;
  };
  if (left === 0) {
    const isLast = (update: Update<typeof blockItem>) => update.whenStill('used', size - amount);
    return change(key, (update) => buryBlock(isLast(update), now), over);
  }
  return change(
    key,
    (update) =>
      update
        .whenThere()
        .whenAtMost('used', size - amount)
        .add('used', amount),
    over,
  );
}
