import { type Attributes, parseStored } from '#kernel/table/item.ts';
import type { Key } from '#kernel/table/keys.ts';
import { blockItem, blockKey, blockRanges, blocksTaken, isBlockId, readBlockUnit } from './block-item.ts';
import { type HoldContext, isRepetition, type Records, readHolds } from './hold-item.ts';

/** Calculates the true uses of a shared item. Its count includes held uses that are not committed yet. */

type Context = Omit<HoldContext, 'now'>;

/** Other requests may write the item between two reads. A later read is closer to the truth. */
const maxRounds = 4;

/** Sums the rest of open blocks. */
async function readBlocks({ table, project }: Context, key: Key, attribute: string) {
  const pages = await Promise.all(blockRanges(project.id, key).map((all) => table.query(all)));
  const open = pages.flat().filter((one) => one.deleted_at === undefined);
  const blocks = open.map((one) => parseStored(blockItem, one));
  return blocks.reduce((left, block) => left + (block.size - block.used) * (readBlockUnit(block)[attribute] ?? 0), 0);
}

/** Sums the holds without a committed record, and late repetitions of settled holds. */
async function readUnused(
  { table, project }: Context,
  records: Records,
  { key, item, attribute }: { key: Key; item: Attributes | undefined; attribute: string },
): Promise<number> {
  const holds = [...readHolds(item)];
  const places = holds.map(([id]) => (isBlockId(id) ? blockKey(project.id, key, id) : records(project.id, id)));
  const found = await table.getMany(places);
  return holds.reduce((sum, [, { by, no }], index) => {
    const record = found[index];
    return sum + (record && !isRepetition(record, key, no) ? 0 : (by[attribute] ?? 0));
  }, 0);
}

const isAsBefore = (before: Attributes | undefined, after: Attributes | undefined, attribute: string) =>
  before?.[attribute] === after?.[attribute] &&
  before?.[blocksTaken] === after?.[blocksTaken] &&
  [...readHolds(before).keys()].sort().join() === [...readHolds(after).keys()].sort().join();

/** Returns the committed uses, without those that containers and dead holders only hold. Writes nothing. */
export async function countExactly(
  context: Context,
  records: Records,
  { key, attribute }: { readonly key: Key; readonly attribute: string },
): Promise<number> {
  const { table } = context;
  let [item] = await table.getMany([key]);
  for (let round = 1; ; round++) {
    const [left, unused] = await Promise.all([
      readBlocks(context, key, attribute),
      readUnused(context, records, { key, item, attribute }),
    ]);
    const [again] = await table.getMany([key]);
    if (round === maxRounds || isAsBefore(item, again, attribute)) {
      return Math.max(0, Number(item?.[attribute] ?? 0) - left - unused);
    }
    item = again;
  }
}
