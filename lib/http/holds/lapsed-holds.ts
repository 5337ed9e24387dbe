import { AmbiguousWriteError } from '../../table/ambiguous-write.ts';
import { isOutOfCapacity } from '../../table/conflicts.ts';
import type { Attributes } from '../../table/item.ts';
import { type Key, tableShape } from '../../table/keys.ts';
import { type ItemKey, itemMarks } from '../../table/kind.ts';
import { Update } from '../../table/update.ts';
import { blockKey, blocksUntil, isBlockId } from './block-item.ts';
import { finishHold, type HoldContext, type Records, readHolds, revertHold, type StoredHold } from './hold-item.ts';

/** Tombstones of lapsed holds last far longer than any request. */
const tombstoneLifeInS = 24 * 60 * 60;
/** Limits the holds that one round resolves. */
const maxAtOnce = 25;
/** Limits the rounds, because other requests may resolve the same holds. */
const maxRounds = 5;

type Lapsed = readonly (readonly [id: string, hold: StoredHold])[];

/** Returns the oldest lapsed holds, as many as one call can decide. */
function lapsedOf(item: Attributes | undefined, now: Date): Lapsed {
  const over = [...readHolds(item)].filter(([, { until }]) => until < now.toISOString());
  return over.sort(([, one], [, other]) => (one.until < other.until ? -1 : 1)).slice(0, maxAtOnce);
}

/** Returns the ids that never committed, after writing a tombstone that blocks a late commit. */
async function closed({ table, now }: HoldContext, placeOf: (id: string) => ItemKey, ids: readonly string[]) {
  const expiresAt = Math.floor(now.getTime() / 1_000) + tombstoneLifeInS;
  const places = ids.map(placeOf);
  const tombstone = (key: ItemKey) => ({
    ...itemMarks(key),
    has_lapsed: true,
    deleted_at: now.toISOString(),
    [tableShape.timeToLive]: expiresAt,
  });
  // Functions that serve requests may not send statements, which could insert many items in one call.
  const isNew = await Promise.all(places.map((key) => table.insert(key, tombstone(key))));
  const taken = [...ids.entries()].filter(([index]) => !isNew[index]);
  const there = await table.getMany(
    taken.map(([, id]) => placeOf(id)),
    { deletedToo: true },
  );
  const isRecord = (item: Attributes | undefined) => item !== undefined && item.has_lapsed === undefined;
  const committed = new Set(taken.flatMap(([, id], place) => (isRecord(there[place]) ? [id] : [])));
  return new Set(ids.filter((id) => !committed.has(id)));
}

/**
 * Resolves the holds of dead holders: committed uses stay counted, and others are given back, once. Returns the item afterwards, or
 * `undefined` if no hold had lapsed.
 */
export async function resolveLapsed(
  context: HoldContext,
  records: Records,
  { key, item }: { key: Key; item: Attributes | undefined },
): Promise<Attributes | undefined> {
  let lapsed = lapsedOf(item, context.now);
  if (lapsed.length === 0) return undefined;
  const ids = lapsed.map(([id]) => id);
  const { id: projectId } = context.project;
  const placeOf = (id: string) => (isBlockId(id) ? blockKey(projectId, key, id) : records(projectId, id));
  const isClosed = await closed(context, placeOf, ids);
  for (let round = 0; round < maxRounds; round++) {
    const update = new Update();
    for (const [id, hold] of lapsed) {
      if (isClosed.has(id)) revertHold(update, id, hold);
      else finishHold(update, id);
      // Perhaps no request looks for a block that was left like this, so its time is noted.
      if (isBlockId(id) && !isClosed.has(id)) update.set([blocksUntil], hold.until);
    }
    const outcome = await context.table.change(key, update.build());
    if (outcome.done) return outcome.item;
    const holds = readHolds(outcome.item);
    lapsed = lapsed.filter(([id]) => holds.has(id));
    if (lapsed.length === 0) return outcome.item;
  }
  return undefined;
}

/** Ignores a busy table for cleaning up. A later request does it then. */
export async function ignoreBusyTable<R>(tidied: Promise<R>): Promise<R | undefined> {
  try {
    return await tidied;
  } catch (error) {
    if (isOutOfCapacity(error) || error instanceof AmbiguousWriteError) return undefined;
    throw error;
  }
}
