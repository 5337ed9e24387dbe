import { insertManyLimit, type Table } from '../../lib/dynamodb.ts';
import { maxSegment, newSegment } from '../../lib/lists/counted-list.ts';
import { inBatches } from '../../lib/project-file/batches.ts';
import { type Key, listKeys } from '../../lib/table.ts';

const callsAtOnce = 4;

/** A list as so many inserts would have left it, without paying for them; `places` in their order. */
export async function buildList(table: Table, list: string, places: readonly { at: string; id: string }[]) {
  await insertAll(table, listItems(list, places));
}

/** Segments are half full, as divisions leave them. */
export function* listItems(list: string, places: readonly { at: string; id: string }[]) {
  const size = maxSegment / 2;
  yield { key: listKeys.head(list), item: { total: places.length } };
  for (const [index, { at, id }] of places.entries()) {
    if (index % size === 0) {
      const from = index === 0 ? '' : at;
      yield { key: listKeys.segment(list, from), item: newSegment(Math.min(size, places.length - index)) };
    }
    yield { key: listKeys.entry(list, at), item: { id } };
  }
}

export async function insertAll(table: Table, items: Iterable<{ key: Key; item: Record<string, unknown> }>) {
  const underWay = new Set<Promise<unknown>>();
  for await (const batch of inBatches(items, insertManyLimit)) {
    const call = table.insertMany(batch).finally(() => underWay.delete(call));
    underWay.add(call);
    if (underWay.size >= callsAtOnce) await Promise.race(underWay);
  }
  await Promise.all(underWay);
}
