import { isDeepStrictEqual } from 'node:util';
import {
  type AttributeValue,
  BatchGetItemCommand,
  ConditionalCheckFailedException,
  DeleteItemCommand,
  PutItemCommand,
  QueryCommand,
  ScanCommand,
} from '@aws-sdk/client-dynamodb';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { isTransient, pause } from './conflicts.ts';
import { type Key, keyText, nothingThere, ownerKey, readKinds, somethingThere, tableShape } from './keys.ts';
import { findCountedList } from './listing.ts';
import { copiedAt } from './stream.ts';

/** Items as the table has them, whatever their kind: for commands that compare and copy whole tables. Numbers keep all digits. */
export type RawItem = Readonly<Record<string, AttributeValue>>;

export interface RawTable {
  readonly dynamodb: DynamoDBDocumentClient;
  readonly tableName: string;
}

/** DynamoDB accepts 100 keys per BatchGetItem, and callers read the items of a page again elsewhere. */
const defaultPageSize = 100;
const longestPauseInMs = 5_000;
/** Waits about a minute in all, then fails. */
const maxRounds = 18;

const { partitionKey, sortKey, timeToLive } = tableShape;

export function rawKey(item: RawItem): Key {
  return { pk: item[partitionKey]?.S ?? '', sk: item[sortKey]?.S ?? '' };
}

/** Returns the kind of the item, the kind of the item whose partition it is in, and the partition. */
export function rawPlace(item: RawItem): { kind: string; owner: string; partition: string } {
  const key = rawKey(item);
  return { ...readKinds(key), partition: key.pk };
}

/** Returns the key of the item that owns the partition. */
export function rawOwner(item: RawItem): Key {
  return ownerKey(rawKey(item));
}

/** Returns the names of the counted lists that the item is in. */
export function findCountedLists(item: RawItem): string[] {
  return Object.entries(item).flatMap(([name, value]) =>
    /^gsi\d+pk$/.test(name) ? (findCountedList(value.S ?? '') ?? []) : [],
  );
}

export function isRawExpired(item: RawItem, now: Date): boolean {
  return Number(item[timeToLive]?.N ?? Number.POSITIVE_INFINITY) * 1_000 <= now.getTime();
}

/** Returns whether the item is a tombstone that inserts replace. */
export function isRawFence(item: RawItem | undefined): boolean {
  return item?.fence !== undefined;
}

export function isSameItem(one: RawItem, other: RawItem): boolean {
  const { [copiedAt]: _, ...own } = one;
  const { [copiedAt]: __, ...others } = other;
  return isDeepStrictEqual(own, others);
}

/** Repeats a call that the table has no capacity for, with growing pauses. */
async function patiently<R>(send: () => Promise<R>): Promise<R> {
  for (let round = 1; ; round++) {
    try {
      return await send();
    } catch (error) {
      if (round === maxRounds || !isTransient(error)) throw error;
      await pause(Math.min(longestPauseInMs, 50 * 2 ** round));
    }
  }
}

interface Segment {
  readonly index: number;
  readonly of: number;
}

/** Reads a segment of the table, in pages of `atOnce` items, at most 100 by default. */
export async function* walkItems(
  { dynamodb, tableName }: RawTable,
  { index, of, atOnce = defaultPageSize }: Segment & { readonly atOnce?: number },
): AsyncGenerator<RawItem[], void> {
  // The local engine reads its whole table for each page of a segment, even if the segment is the table.
  const segment = of === 1 ? {} : { Segment: index, TotalSegments: of };
  let from: Record<string, AttributeValue> | undefined;
  do {
    const command = new ScanCommand({
      TableName: tableName,
      ConsistentRead: true,
      Limit: atOnce,
      ...segment,
      ...(from === undefined ? {} : { ExclusiveStartKey: from }),
    });
    const { Items = [], LastEvaluatedKey } = await patiently(() => dynamodb.send(command));
    yield Items;
    from = LastEvaluatedKey;
  } while (from !== undefined);
}

/** Reads the items of this kind in one partition, in the order of their sort keys. */
export async function* walkRawChildren(
  { dynamodb, tableName }: RawTable,
  { pk }: Key,
  kindName: string,
): AsyncGenerator<RawItem[], void> {
  let from: Record<string, AttributeValue> | undefined;
  do {
    const command = new QueryCommand({
      TableName: tableName,
      ConsistentRead: true,
      KeyConditionExpression: '#pk = :pk AND begins_with(#sk, :prefix)',
      ExpressionAttributeNames: { '#pk': partitionKey, '#sk': sortKey },
      ExpressionAttributeValues: { ':pk': { S: pk }, ':prefix': { S: `${kindName}#` } },
      ...(from === undefined ? {} : { ExclusiveStartKey: from }),
    });
    const { Items = [], LastEvaluatedKey } = await patiently(() => dynamodb.send(command));
    yield Items;
    from = LastEvaluatedKey;
  } while (from !== undefined);
}

function wireKey({ pk, sk }: Key): Record<string, AttributeValue> {
  return { [partitionKey]: { S: pk }, [sortKey]: { S: sk } };
}

/** Reads up to 100 items, by the text of their keys. */
export async function fetchItems(
  { dynamodb, tableName }: RawTable,
  keys: readonly Key[],
): Promise<Map<string, RawItem>> {
  const found = new Map<string, RawItem>();
  let open = keys.map(wireKey);
  for (let round = 0; open.length > 0; round++) {
    if (round === maxRounds) throw new Error(`${tableName} has no capacity for a read`);
    if (round > 0) await pause(Math.min(longestPauseInMs, 50 * 2 ** round));
    const command = new BatchGetItemCommand({ RequestItems: { [tableName]: { Keys: open, ConsistentRead: true } } });
    const { Responses = {}, UnprocessedKeys = {} } = await patiently(() => dynamodb.send(command));
    for (const item of Responses[tableName] ?? []) found.set(keyText(rawKey(item)), item);
    open = UnprocessedKeys[tableName]?.Keys ?? [];
  }
  return found;
}

async function unlessRefused(send: () => Promise<unknown>): Promise<boolean> {
  try {
    await patiently(send);
    return true;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return false;
    throw error;
  }
}

/** Builds the condition that all attributes are unchanged since the read, and that no missing one was added. */
function stillAs(asRead: RawItem, lacking: readonly string[]) {
  const read = Object.entries(asRead).filter(([name]) => name !== partitionKey && name !== sortKey);
  const parts = [
    somethingThere,
    ...read.map((_, index) => `#r${index} = :r${index}`),
    ...lacking.map((_, index) => `attribute_not_exists(#l${index})`),
  ];
  const names = {
    ...Object.fromEntries(read.map(([name], index) => [`#r${index}`, name])),
    ...Object.fromEntries(lacking.map((name, index) => [`#l${index}`, name])),
  };
  return {
    ConditionExpression: parts.join(' AND '),
    ...(Object.keys(names).length > 0 ? { ExpressionAttributeNames: names } : {}),
    ...(read.length > 0
      ? { ExpressionAttributeValues: Object.fromEntries(read.map(([, value], index) => [`:r${index}`, value])) }
      : {}),
  };
}

/** Inserts an item. Returns false if an item has the key already, and leaves that item unchanged. */
export function putMissing({ dynamodb, tableName }: RawTable, item: RawItem): Promise<boolean> {
  const command = new PutItemCommand({ TableName: tableName, Item: item, ConditionExpression: nothingThere });
  return unlessRefused(() => dynamodb.send(command));
}

/** Replaces an item that is unchanged since the read. Returns false if it has changed or is missing. */
export function putInPlace({ dynamodb, tableName }: RawTable, item: RawItem, asRead: RawItem): Promise<boolean> {
  const lacking = Object.keys(item).filter((name) => asRead[name] === undefined);
  const command = new PutItemCommand({ TableName: tableName, Item: item, ...stillAs(asRead, lacking) });
  return unlessRefused(() => dynamodb.send(command));
}

/** Removes an item that is unchanged since the read. Returns false if it has changed or is missing. */
export function removeUnchanged({ dynamodb, tableName }: RawTable, asRead: RawItem): Promise<boolean> {
  const command = new DeleteItemCommand({
    TableName: tableName,
    Key: wireKey(rawKey(asRead)),
    ...stillAs(asRead, []),
  });
  return unlessRefused(() => dynamodb.send(command));
}
