import type { Attributes } from '#kernel/table/item.ts';
import { type Key, keyText } from '#kernel/table/keys.ts';
import { type ItemKey, itemMarks } from '#kernel/table/kind.ts';
import type { Table } from '#kernel/table/table.ts';
import { tombstoneOf } from '#kernel/table/tombstone.ts';
import { Update } from '#kernel/table/update.ts';
import { blockKey, blocksUntil, isBlockId } from '../items/block-item.ts';
import {
  finishHold,
  type HoldContext,
  type HoldRef,
  isRepetition,
  type Records,
  readHolds,
  revertHold,
  type StoredHold,
} from '../items/hold-item.ts';

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

/** Returns the committed records by id, after writing a tombstone for each of the others. */
async function closed({ table, now }: HoldContext, placeOf: (id: string) => ItemKey, ids: readonly string[]) {
  const places = ids.map(placeOf);
  const tombstone = (key: ItemKey) => ({ ...itemMarks(key), ...tombstoneOf(now) });
  // Functions that serve requests may not send statements, which could insert many items in one call.
  const isNew = await Promise.all(places.map((key) => table.insert(key, tombstone(key))));
  const taken = ids.filter((_, index) => !isNew[index]);
  const there = await table.getMany(taken.map(placeOf), { deletedToo: true });
  return new Map(
    taken.flatMap((id, index) => {
      const item = there[index];
      return item === undefined ? [] : [[id, item] as const];
    }),
  );
}

/**
 * Resolves the holds of dead holders: committed uses stay counted, and others are given back, once. A late repetition
 * of a hold's update is also given back, because the record has the number of the first. Returns the item afterwards,
 * or `undefined` if no hold had lapsed.
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
  const committed = await closed(context, placeOf, ids);
  for (let round = 0; round < maxRounds; round++) {
    const update = new Update();
    for (const [id, hold] of lapsed) {
      const record = committed.get(id);
      const isKept = record !== undefined && !isRepetition(record, key, hold.no);
      if (isKept) finishHold(update, { id, no: hold.no });
      else revertHold(update, { id, no: hold.no }, hold);
      // Perhaps no request looks for a block that was left like this, so its time is noted.
      if (isBlockId(id) && isKept) update.set([blocksUntil], hold.until);
    }
    const outcome = await context.table.change(key, update.build());
    if (outcome.done) return outcome.item;
    const holds = readHolds(outcome.item);
    lapsed = lapsed.filter(([id, { no }]) => holds.has(id) && holds.get(id)?.no === no);
    if (lapsed.length === 0) return outcome.item;
  }
  return undefined;
}

/** Limits the remembered holds of one item, and the items of one container. The oldest is forgotten first, and lapses. */
const maxIds = 50;
const maxItems = 1_000;

/** The committed holds by item, by the container's client of the table. */
const memories = new WeakMap<object, Map<string, HoldRef[]>>();

function memoryOf({ container }: Pick<Table, 'container'>): Map<string, HoldRef[]> {
  const memory = memories.get(container) ?? new Map<string, HoldRef[]>();
  memories.set(container, memory);
  return memory;
}

/** Names an item among the items of all tables of the container. */
export const nameTableItem = ({ name }: Pick<Table, 'name'>, key: Key) => `${name}\n${keyText(key)}`;

type Place = Pick<Table, 'container' | 'name'>;

/** Remembers holds that the container's next hold removes from the item. Their counts stay. */
export function rememberHolds(table: Place, key: Key, holds: readonly HoldRef[]): void {
  if (holds.length === 0) return;
  const memory = memoryOf(table);
  const name = nameTableItem(table, key);
  const all = [...(memory.get(name) ?? []), ...holds].slice(-maxIds);
  memory.delete(name);
  memory.set(name, all);
  const [first] = memory.keys();
  if (memory.size > maxItems && first !== undefined) memory.delete(first);
}

/** Returns the remembered holds of the item, and forgets them. The caller must remove them. */
export function recallHolds(table: Place, key: Key): HoldRef[] {
  const memory = memoryOf(table);
  const name = nameTableItem(table, key);
  const holds = memory.get(name) ?? [];
  memory.delete(name);
  return [...new Map(holds.map((one) => [one.id, one])).values()];
}
