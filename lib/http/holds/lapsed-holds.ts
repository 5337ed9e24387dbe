import { AmbiguousWriteError } from '../../table/ambiguous-write.ts';
import { isOutOfCapacity } from '../../table/conflicts.ts';
import type { Attributes } from '../../table/item.ts';
import { type Key, keyText, tableShape } from '../../table/keys.ts';
import { type ItemKey, itemMarks } from '../../table/kind.ts';
import type { Table } from '../../table/table.ts';
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

/** Returns the attributes of a tombstone, which blocks a late insert. */
export function tombstoneOf(now: Date): Attributes {
  const expiresAt = Math.floor(now.getTime() / 1_000) + tombstoneLifeInS;
  return { has_lapsed: true, deleted_at: now.toISOString(), [tableShape.timeToLive]: expiresAt };
}

/** Returns the ids that never committed, after writing a tombstone for each. */
async function closed({ table, now }: HoldContext, placeOf: (id: string) => ItemKey, ids: readonly string[]) {
  const places = ids.map(placeOf);
  const tombstone = (key: ItemKey) => ({ ...itemMarks(key), ...tombstoneOf(now) });
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

/** Limits the remembered holds of one item, and the items of one container. The oldest is forgotten first, and lapses. */
const maxIds = 50;
const maxItems = 1_000;

/** The committed holds by item, by the container's client of the table. */
const memories = new WeakMap<object, Map<string, string[]>>();

function memoryOf({ container }: Pick<Table, 'container'>): Map<string, string[]> {
  const memory = memories.get(container) ?? new Map<string, string[]>();
  memories.set(container, memory);
  return memory;
}

/** Names an item among the items of all tables of the container. */
export const nameTableItem = ({ name }: Pick<Table, 'name'>, key: Key) => `${name}\n${keyText(key)}`;

type Place = Pick<Table, 'container' | 'name'>;

/** Remembers holds that the container's next hold removes from the item. Their counts stay. */
export function rememberHolds(table: Place, key: Key, ids: readonly string[]): void {
  if (ids.length === 0) return;
  const memory = memoryOf(table);
  const name = nameTableItem(table, key);
  const all = [...new Set([...(memory.get(name) ?? []), ...ids])].slice(-maxIds);
  memory.delete(name);
  memory.set(name, all);
  const [first] = memory.keys();
  if (memory.size > maxItems && first !== undefined) memory.delete(first);
}

/** Returns the remembered holds of the item, and forgets them. The caller must remove them. */
export function recallHolds(table: Place, key: Key): string[] {
  const memory = memoryOf(table);
  const name = nameTableItem(table, key);
  const ids = memory.get(name) ?? [];
  memory.delete(name);
  return ids;
}
