import { ServiceError } from '#kernel/core/errors.ts';
import type { Writing } from '#kernel/http/context.ts';
import { type Again, again, isTransient } from '#kernel/table/conflicts.ts';
import type { Effect } from '#kernel/table/effects.ts';
import type { Attributes } from '#kernel/table/item.ts';
import { readBlockUse, useBlock } from './blocks/block.ts';
import { giveUpBlock, holdInCrowd, putBlockBack } from './blocks/crowds.ts';
import type { Hold } from './hold.ts';
import type { Block } from './items/block-item.ts';
import { recordHolds, redemptionRecords } from './items/hold-item.ts';
import { sumLocks } from './locks.ts';
import { release, settleHold } from './standing/hold.ts';

/**
 * Holds limits that many share, ahead of the transaction that redeems: `holdShared`, then `commitHeld`, or `releaseHeld` if there is nothing
 * to commit. The hold of a process that dies lapses (docs/contributing.md#crowds).
 */

/** One held limit, with its item after the hold. */
interface HeldLimit {
  readonly hold: Hold;
  readonly item: Attributes;
  /** The container's own block, which this use is part of. */
  readonly block?: Block | undefined;
}

/** The limits that one record holds. */
export interface Held {
  /** The id of the record. */
  readonly id: string;
  readonly limits: readonly HeldLimit[];
}

/** The part of the record's transaction that its held limits need. */
export interface HeldPart {
  /** The id of the record. */
  readonly id: string;
  readonly effects: readonly Effect[];
  /** The record stores these numbers, which distinguish its holds from late repetitions. */
  readonly numbers: ReturnType<typeof recordHolds>;
}

/** Returns whether locks of other sessions leave room on a limit. */
function isWithinLocks({ hold, item }: HeldLimit, sessionKey: string | undefined, now: Date): boolean {
  if (!hold.max) return true;
  const { endedAround = 0 } = hold;
  const locked = sumLocks(item, { except: sessionKey, now, endedAround }).quantity ?? 0;
  return Number(item[hold.max.attribute] ?? 0) + locked <= hold.max.value;
}

function areWithinLocks({ limits }: Held, sessionKey: string | undefined, now: Date): boolean {
  return limits.every((one) => isWithinLocks(one, sessionKey, now));
}

/**
 * Holds all or nothing, for the record `id` that the transaction will insert. `again` means that a limit or a lock of another session refused
 * one of them, and all must be read again.
 */
export async function holdShared(
  context: Writing,
  all: readonly Hold[],
  { id, sessionKey }: { readonly id: string; readonly sessionKey: string | undefined },
): Promise<Held | Again> {
  const outcomes = await Promise.allSettled(all.map((hold) => holdInCrowd(context, redemptionRecords, hold, id)));
  const limits = outcomes.flatMap((outcome, index) => {
    const hold = all[index];
    if (outcome.status === 'rejected' || !outcome.value.done || !hold) return [];
    const { item, block } = outcome.value;
    return [{ hold, item, block }];
  });
  const held = { id, limits };
  if (limits.length < all.length) await releaseHeld(context, held);
  else if (areWithinLocks(held, sessionKey, context.now)) return held;
  else await releaseHeld(context, held, { isRefused: true });
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
  return again;
}

const amountOf = (hold: Hold) => readBlockUse(hold)?.amount ?? 1;

/**
 * Releases holds without a transaction. `isRefused` means that the held items do not suffice, so that their block is
 * useless. A block of a single use is also given back, because other requests need the limit and cannot recall the
 * block.
 */
export async function releaseHeld(context: Writing, { id, limits }: Held, { isRefused = false } = {}): Promise<void> {
  await Promise.all(
    limits.map(async ({ hold, item, block }) => {
      if (!block) await release(context, hold, id, item);
      else if (isRefused || block.isSingle) await giveUpBlock(context, block);
      else putBlockBack(context, block, { isUnused: true, amount: amountOf(hold) });
    }),
  );
}

function partOf({ id, limits }: Held, now: Date): HeldPart {
  const standing = limits.flatMap(({ hold, item, block }) => (block ? [] : [{ key: hold.key, item }]));
  return {
    id,
    effects: limits.flatMap(({ hold, block }) => (block ? [useBlock(block, amountOf(hold), now)] : [])),
    numbers: recordHolds(id, standing),
  };
}

/** Settles holds after the commit. */
async function settle(context: Writing, { id, limits }: Held): Promise<void> {
  await Promise.all(
    limits.map(async ({ hold, item, block }) => {
      if (block) putBlockBack(context, block);
      else await settleHold(context, hold.key, id, item);
    }),
  );
}

/** A transaction in two steps. Each returns `again` if nothing was committed, and all must be read again. */
interface HeldTransaction<P, R> {
  /** Decides what to commit, with this part. Must not commit it. */
  readonly prepare: (part: HeldPart) => Promise<P | Again>;
  readonly commit: (prepared: P) => Promise<R | Again>;
}

/**
 * Commits what was held, and settles the holds. Releases them if nothing was committed. A commit with an unknown outcome releases nothing: its
 * holds lapse, and its record then shows whether they count.
 */
export async function commitHeld<P, R>(
  context: Writing,
  held: Held,
  { prepare, commit }: HeldTransaction<P, R>,
): Promise<R | Again> {
  let isSent = false;
  let result: R | Again = again;
  try {
    const prepared = await prepare(partOf(held, context.now));
    if (prepared !== again) {
      isSent = true;
      result = await commit(prepared);
    }
  } catch (error) {
    // A write that was sent and not refused may have been committed.
    if (!isSent || error instanceof ServiceError || isTransient(error)) await releaseHeld(context, held);
    throw error;
  }
  if (result === again) await releaseHeld(context, held);
  else await settle(context, held);
  return result;
}
