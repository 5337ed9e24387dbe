import * as v from 'valibot';
import { integer } from '../core/schema.ts';
import { retryOptimistically } from './conflicts.ts';
import { change, commitApart } from './effects.ts';
import { tableShape } from './keys.ts';
import { type ItemKey, kind } from './kind.ts';
import { countedListOf, type Listing, listName, type Owner } from './listing.ts';
import type { FilterPattern, StreamRecord } from './stream.ts';
import type { Table } from './table.ts';
import type { Update } from './update.ts';

/** How far an item has counted each shard, as it was stored before positions were items of their own. */
const countedBefore = v.optional(v.array(v.tuple([v.string(), v.string()])));

/** How far an item has counted one shard of the stream. It stands beside that item, in its partition. */
const position = v.object({ sequence: v.string(), expiresAt: v.number() });

/** A stream delivers a record for 24 hours; after that its position is needed no more. */
const positionKeptForInS = 48 * 3_600;

function positionKey(key: ItemKey, shardId: string): ItemKey<typeof position> {
  return { pk: key.pk, sk: `COUNTED#${key.sk}#${shardId}`, kind: 'COUNTED', project: key.project, schema: position };
}

/** How many elements a list has, counted behind the writes: it lags by about a second, and is exact when they rest. */
const totalItem = v.object({
  /** Below zero where elements go that were never counted. */
  total: v.optional(integer, 0),
});

const totalKind = kind('TOTAL', totalItem);

/** Builds the key of a list's total, by the name of the list. */
export function totalKey(name: string) {
  const [projectId = ''] = name.split('#');
  return totalKind(projectId, name);
}

/** Partition keys of all totals, as a pattern of IAM. */
export const totalKeys = `*#${totalKind.kind}#*`;

/** The length of a list: exact for short ones, else as the stream has counted it. */
export async function totalOf(
  table: Pick<Table, 'get'>,
  list: Listing,
  owner: Owner,
  { length }: { length: number | undefined },
): Promise<number> {
  if (length !== undefined) return length;
  const stored = await table.get(totalKey(listName(list, owner)), totalItem);
  return Math.max(0, stored?.total ?? 0);
}

const listPartitions = Object.values(tableShape.indexes).flatMap((index) =>
  'partitionKey' in index && /^gsi\d+pk$/.test(index.partitionKey) ? [index.partitionKey] : [],
);

/** Which records are counted: of items that stand in a list, or have stood in one. */
export const countedFilters: readonly FilterPattern[] = [
  {
    $or: ['NewImage', 'OldImage'].flatMap((image) =>
      listPartitions.map((name) => ({ dynamodb: { [image]: { [name]: { S: [{ exists: true }] } } } })),
    ),
  },
];

type Image = NonNullable<StreamRecord['dynamodb']>['NewImage'];

function listsOf(image: Image): string[] {
  return listPartitions.flatMap((name) => countedListOf(image?.[name]?.S ?? '') ?? []);
}

/** What is counted of a record of the stream. */
export interface Counted {
  /** Of the record, which grows with each one of its shard. */
  readonly sequence: bigint;
}

interface Move extends Counted {
  list: string;
  by: 1 | -1;
}

/** What stays in a list is none. */
function movesOf({ dynamodb: { OldImage, NewImage, SequenceNumber = '0' } = {} }: StreamRecord): Move[] {
  const [before, after] = [listsOf(OldImage), listsOf(NewImage)];
  const sequence = BigInt(SequenceNumber);
  return [
    ...before.filter((list) => !after.includes(list)).map((list) => ({ list, sequence, by: -1 as const })),
    ...after.filter((list) => !before.includes(list)).map((list) => ({ list, sequence, by: 1 as const })),
  ];
}

/**
 * Counts what the records of one shard have added to lists and taken away, each record once, however often it is delivered:
 * a total moves together with its position in the shard. A list that can't be counted keeps no other from it; the records
 * then have to be delivered again.
 */
export async function countChanges(table: Table, shardId: string, records: readonly StreamRecord[]): Promise<void> {
  await countEach(
    Map.groupBy(records.flatMap(movesOf), (move) => move.list),
    'lists',
    (list, moves) => countInList(table, list, shardId, moves),
  );
}

/** One after the other, whatever becomes of the others; throws in the end where some were not counted. */
export async function countEach<M>(
  groups: ReadonlyMap<string, readonly M[]>,
  called: string,
  count: (name: string, moves: readonly M[]) => Promise<unknown>,
): Promise<void> {
  const failures: unknown[] = [];
  for (const [name, moves] of groups) await count(name, moves).catch((error: unknown) => failures.push(error));
  const [failure] = failures;
  if (failure !== undefined) throw new Error(`${failures.length} ${called} were not counted`, { cause: failure });
}

function countInList(table: Table, list: string, shardId: string, moves: readonly Move[]): Promise<true> {
  return countOnce(table, totalKey(list), shardId, moves, (update, open) =>
    update.add(
      'total',
      open.reduce((sum, { by }) => sum + by, 0),
    ),
  );
}

const itemBefore = v.object({ counted: countedBefore });

/**
 * Adds to an item what it has not counted yet, and moves its position in the shard, in one transaction. `exists`: does nothing where
 * the item is missing.
 */
export function countOnce<M extends Counted>(
  table: Table,
  key: ItemKey,
  shardId: string,
  moves: readonly M[],
  add: (update: Update, open: readonly M[]) => Update,
  { exists = false } = {},
): Promise<true> {
  const own = positionKey(key, shardId);
  return retryOptimistically(table, async () => {
    const [stored, at] = await table.getMany([key, own]);
    if (exists && !stored) return true;
    const before = stored && v.parse(itemBefore, stored).counted?.find(([id]) => id === shardId)?.[1];
    const known = at && v.parse(position, at).sequence;
    const counted = BigInt(known ?? before ?? 0);
    const open = moves.filter(({ sequence }) => sequence > counted);
    const last = open.at(-1);
    if (!last) return true;
    const done = await commitApart(table, [
      change(key, (update) => add(update, open)),
      change(own, (update) => {
        update.set(['sequence'], String(last.sequence));
        update.set([tableShape.timeToLive], table.expiringIn(positionKeptForInS));
        // TTL removes items late: an expired position is still stored, and reads don't show it.
        if (known === undefined) return update.whenBelow(tableShape.timeToLive, table.expiringIn(1));
        return update.whenStill('sequence', known);
      }),
    ]);
    return done || undefined;
  });
}
