import { readBlockUse, useBlock } from '#engine/holds/block.ts';
import type { Block } from '#engine/holds/block-item.ts';
import { giveUpBlock, holdInCrowd, putBlockBack } from '#engine/holds/crowds.ts';
import { release, settleHold } from '#engine/holds/hold.ts';
import { type Hold, recordHolds } from '#engine/holds/hold-item.ts';
import { sumLocks } from '#engine/holds/locks.ts';
import type { Counts } from '#engine/rules/context.ts';
import { countEndedAround, counterKey } from '#engine/rules/counter.ts';
import { countSeen, listMovedCounters, type RuleCount } from '#engine/rules/counts.ts';
import type { Writing } from '#kernel/http/context.ts';
import { type Again, again } from '#kernel/table/conflicts.ts';
import type { Effect } from '#kernel/table/effects.ts';
import type { Attributes } from '#kernel/table/item.ts';
import { keyText } from '#kernel/table/keys.ts';
import type { Gathered } from '../request/gather.ts';
import { buildRuleContext } from '../request/rule-refusal.ts';
import { isShared } from '../request/targets.ts';
import type { Use } from './redeemable-use.ts';
import { type RedemptionItem, redemptions } from './redemption.ts';

/** Holds limits that many share, before the transaction. */

/** Returns the counters that the redeemables' rules need, moved by these uses. */
export function listCounts(gathered: Gathered, uses: readonly Use[], customerId: string | undefined): RuleCount[] {
  const { request } = gathered;
  return uses.flatMap((use) => {
    const { judged } = use.one;
    const context = buildRuleContext(request, judged, use.outcome.effects, judged.counts);
    const counted = { ...judged.counted, customer: customerId };
    const needs = [{ counters: judged.names }];
    return listMovedCounters(
      request.projectId,
      { counted, needs, context, isShared: isShared(use.one.target) },
      request.now,
    );
  });
}

/** The holds under one id, with each item after its hold. */
export interface Holds {
  readonly id: string;
  readonly items: readonly { readonly held: Hold; readonly item: Attributes; readonly block?: Block | undefined }[];
}

const amountOf = (held: Hold) => readBlockUse(held)?.amount ?? 1;

/**
 * Releases holds after a transaction that was not committed. `isRefused` means that the held items do not suffice, so that their block is
 * useless. A block of a single use is given back too. Otherwise the limit would refuse others, and no request takes it from the container.
 */
export async function releaseAll(context: Writing, { id, items }: Holds, { isRefused = false } = {}): Promise<void> {
  await Promise.all(
    items.map(async ({ held, item, block }) => {
      if (!block) await release(context, held, id, item);
      else if (isRefused || block.isSingle) await giveUpBlock(context, block);
      else putBlockBack(context, block, { isUnused: true, amount: amountOf(held) });
    }),
  );
}

export async function settleAll({ table, project, now }: Writing, { id, items }: Holds): Promise<void> {
  await Promise.all(
    items.map(async ({ held, item, block }) => {
      if (block) putBlockBack({ table }, block);
      else await settleHold({ table, project, now }, held.key, id, item);
    }),
  );
}

/** Returns the effects of the holds for the transaction. */
export function useBlocks({ items }: Holds, now: Date): Effect[] {
  return items.flatMap(({ held, block }) => (block ? [useBlock(block, amountOf(held), now)] : []));
}

/** Returns the numbers of the holds, for the record of their id. */
export function numberHolds({ id, items }: Holds): RedemptionItem['held'] {
  return recordHolds(
    id,
    items.flatMap(({ held, item, block }) => (block ? [] : [{ key: held.key, item }])),
  );
}

/** Holds all or nothing. `again` means that one was refused, and all must be read again. */
export async function holdAll(context: Writing, all: readonly Hold[], id: string): Promise<Holds | Again> {
  const outcomes = await Promise.allSettled(all.map((held) => holdInCrowd(context, redemptions, held, id)));
  const items = outcomes.flatMap((outcome, index) => {
    const held = all[index];
    if (outcome.status === 'rejected' || !outcome.value.done || !held) return [];
    const { item, block } = outcome.value;
    return [{ held, item, block }];
  });
  if (items.length === all.length) return { id, items };
  await releaseAll(context, { id, items });
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
  return again;
}

/** Returns whether locks of other sessions leave room on a code with a limit. */
function isWithinLocks({ held, item }: Holds['items'][number], sessionKey: string | undefined, now: Date): boolean {
  if (!held.max) return true;
  const { endedAround = 0 } = held;
  const locked = sumLocks(item, { except: sessionKey, now, endedAround }).quantity ?? 0;
  return Number(item[held.max.attribute] ?? 0) + locked <= held.max.value;
}

export function areWithinLocks({ items }: Holds, sessionKey: string | undefined, now: Date): boolean {
  return items.every((one) => isWithinLocks(one, sessionKey, now));
}

/**
 * Returns the counts before this redemption by the held items, including changes since the read. Returns nothing if they equal the counts
 * by which the rules were judged.
 */
export function readSeenCounts(gathered: Gathered, { items }: Holds): readonly Counts[] | undefined {
  const { request, redeemables, asked } = gathered;
  const held = new Map(items.map((one) => [keyText(one.held.key), one]));
  const except = asked.session?.key ?? undefined;
  const { campaigns } = gathered.terms;
  let differs = false;
  const counts = redeemables.map(({ judged }) => {
    const own: Record<string, number | undefined> = { ...judged.counts };
    for (const name of Object.keys(own)) {
      const key = counterKey(request.projectId, name, judged.counted, request.now);
      const found = key && held.get(keyText(key));
      if (!found) continue;
      const endedAround = countEndedAround(name, judged.counted, campaigns);
      const seen = countSeen(found.item, { except, now: request.now, endedAround }) - (found.held.by.count ?? 0);
      differs ||= seen !== own[name];
      own[name] = seen;
    }
    return own;
  });
  return differs ? counts : undefined;
}
