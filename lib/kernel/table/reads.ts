import { BatchGetCommand, GetCommand, QueryCommand, ScanCommand, TransactGetCommand } from '@aws-sdk/lib-dynamodb';
import type * as v from 'valibot';
import type { Query, ScanPage } from './command.ts';
import { buildProjection, buildQuery } from './command-input.ts';
import { conflictShare, NoCapacityError } from './conflicts.ts';
import type { Connection } from './connection.ts';
import { type Attributes, parseStored } from './item.ts';
import { type Key, keyOf, keyText, stripKey, tableShape } from './keys.ts';
import { fenceMarks, isFence } from './tombstone.ts';

/** Reads for `Table`, which documents each of them. */

/** DynamoDB accepts 100 keys per BatchGetItem. */
const batchGetLimit = 100;
const batchesAtOnce = 8;

/** Hides tombstones (`lib/kernel/kit/deletion`). */
function unlessDeleted(item: Attributes | undefined): Attributes | undefined {
  return item?.deleted_at === undefined ? item : undefined;
}

export async function readItem<S extends v.GenericSchema>(
  connection: Connection,
  key: Key,
  schema: S,
): Promise<v.InferOutput<S> | undefined> {
  const [item] = await readMany(connection, [key]);
  return item && parseStored(schema, item);
}

/** Reads a single key, which DynamoDB answers faster than a batch with a single key. */
async function readOne(connection: Connection, key: Key): Promise<Attributes | undefined> {
  const input = {
    TableName: connection.tableName,
    Key: key,
    ConsistentRead: true,
    ReturnConsumedCapacity: 'TOTAL',
  } as const;
  const reply = await connection.read(() => connection.client.send(new GetCommand(input), connection.within));
  connection.countRead(reply.ConsumedCapacity?.CapacityUnits);
  return reply.Item;
}

/** Decide whether an item exists. Each projection has them. */
const alwaysRead = [tableShape.partitionKey, tableShape.sortKey, tableShape.timeToLive, 'deleted_at', ...fenceMarks];

function projectItems(only: readonly string[] | undefined) {
  if (!only) return {};
  const { names, expression } = buildProjection([...new Set([...alwaysRead, ...only])]);
  return { ProjectionExpression: expression, ExpressionAttributeNames: names };
}

/** Reads up to 100 keys, without missing items. Repeats keys that the table has no capacity for. */
async function readBatch(
  connection: Connection,
  keys: readonly Key[],
  only?: readonly string[],
): Promise<Attributes[]> {
  const projection = projectItems(only);
  const found: Attributes[] = [];
  const deadline = performance.now() + connection.patienceInMs * conflictShare;
  let open = keys;
  for (let round = 0; open.length > 0; round++) {
    const pauseInMs = round === 0 ? 0 : 2 ** round * 25;
    const mayWait = connection.capacity ? connection.capacity.spend(pauseInMs) : performance.now() <= deadline;
    if (round > 0 && !mayWait) throw new NoCapacityError('the table has no capacity for a read');
    if (round > 0) await connection.pause(pauseInMs);
    const command = new BatchGetCommand({
      RequestItems: { [connection.tableName]: { Keys: [...open], ConsistentRead: true, ...projection } },
      ReturnConsumedCapacity: 'TOTAL',
    });
    const reply = await connection.read(() => connection.client.send(command, connection.within));
    connection.countRead(reply.ConsumedCapacity?.reduce((sum, part) => sum + (part.CapacityUnits ?? 0), 0));
    found.push(...(reply.Responses?.[connection.tableName] ?? []));
    open = (reply.UnprocessedKeys?.[connection.tableName]?.Keys ?? []).map(keyOf);
  }
  return found;
}

/** Reads items in several simultaneous calls. Returns them by the text of their keys. */
async function readKeys(
  connection: Connection,
  keys: readonly Key[],
  only?: readonly string[],
): Promise<ReadonlyMap<string, Attributes>> {
  const [single, ...others] = keys;
  const found = new Map<string, Attributes>();
  if (single && others.length === 0) {
    const item = await readOne(connection, single);
    return item ? found.set(keyText(single), item) : found;
  }
  for (let from = 0; from < keys.length; from += batchGetLimit * batchesAtOnce) {
    const batches = Array.from({ length: batchesAtOnce }, (_, index) => {
      const begin = from + index * batchGetLimit;
      return readBatch(connection, keys.slice(begin, begin + batchGetLimit), only);
    });
    for (const item of (await Promise.all(batches)).flat()) found.set(keyText(keyOf(item)), item);
  }
  return found;
}

export interface ManyOptions {
  /** Also returns tombstones of resources. A tombstone that only keeps its key from late inserts is never returned. */
  deletedToo?: boolean;
  /** Attributes to return, as in `Query`. Such a read is not joined with others. */
  only?: readonly string[];
}

export async function readMany(
  connection: Connection,
  wanted: readonly Key[],
  { deletedToo = false, only }: ManyOptions = {},
): Promise<(Attributes | undefined)[]> {
  if (wanted.length === 0) return [];
  const found = only
    ? await readKeys(connection, [...new Map(wanted.map((key) => [keyText(key), stripKey(key)])).values()], only)
    : await connection.gathered.read(wanted, (keys) => readKeys(connection, keys));
  return wanted.map((key) => {
    const item = connection.unlessExpired(found.get(keyText(key)));
    return deletedToo && !isFence(item) ? item : unlessDeleted(item);
  });
}

/** Returns the items of all keys by `keyText`, with tombstones and expired items. */
export function readRaw(connection: Connection, keys: readonly Key[]): Promise<ReadonlyMap<string, Attributes>> {
  return readKeys(connection, keys.map(stripKey));
}

export async function readAtOnce(connection: Connection, wanted: readonly Key[]): Promise<(Attributes | undefined)[]> {
  const items = wanted.map((key) => ({ Get: { TableName: connection.tableName, Key: stripKey(key) } }));
  const input = { TransactItems: items, ReturnConsumedCapacity: 'TOTAL' } as const;
  const reply = await connection.read(() => connection.client.send(new TransactGetCommand(input), connection.within));
  connection.countRead(reply.ConsumedCapacity?.reduce((sum, part) => sum + (part.CapacityUnits ?? 0), 0));
  return wanted.map((_, index) => unlessDeleted(connection.unlessExpired(reply.Responses?.[index]?.Item)));
}

export async function* readPages(connection: Connection, query: Query): AsyncGenerator<Attributes[]> {
  let open = query.limit ?? Number.POSITIVE_INFINITY;
  let start: Attributes | undefined;
  do {
    const input = buildQuery(connection.tableName, query, { open, start });
    const reply = await connection.read(() => connection.client.send(new QueryCommand(input), connection.within));
    connection.countRead(reply.ConsumedCapacity?.CapacityUnits);
    const found = (reply.Items ?? []).filter((item) => connection.unlessExpired(item) !== undefined && !isFence(item));
    open -= found.length;
    start = reply.LastEvaluatedKey;
    if (found.length > 0) yield found;
  } while (start && open > 0);
}

export async function* scanItems(
  connection: Connection,
  { partitionPrefix }: { partitionPrefix: string },
): AsyncGenerator<Attributes[]> {
  let start: Attributes | undefined;
  do {
    const input = {
      TableName: connection.tableName,
      ConsistentRead: true,
      FilterExpression: 'begins_with(#partition, :prefix)',
      ExpressionAttributeNames: { '#partition': tableShape.partitionKey },
      ExpressionAttributeValues: { ':prefix': partitionPrefix },
      ...(start ? { ExclusiveStartKey: start } : {}),
      ReturnConsumedCapacity: 'TOTAL',
    } as const;
    const reply = await connection.read(() => connection.client.send(new ScanCommand(input), connection.within));
    connection.countRead(reply.ConsumedCapacity?.CapacityUnits);
    start = reply.LastEvaluatedKey;
    const found = (reply.Items ?? []).filter((item) => connection.unlessExpired(item) !== undefined && !isFence(item));
    if (found.length > 0) yield found;
  } while (start);
}

export async function scanPage(
  connection: Connection,
  { partitionPrefixes, attribute: [name, value], from }: ScanPage,
): Promise<{ keys: Key[]; next: Key | undefined }> {
  const prefixes = partitionPrefixes.map((prefix, index) => [`:prefix${index}`, prefix] as const);
  const input = {
    TableName: connection.tableName,
    ConsistentRead: true,
    FilterExpression: [...prefixes.map(([at]) => `begins_with(#pk, ${at})`), '#name = :value'].join(' OR '),
    ProjectionExpression: '#pk, #sk',
    ExpressionAttributeNames: { '#pk': tableShape.partitionKey, '#sk': tableShape.sortKey, '#name': name },
    ExpressionAttributeValues: { ...Object.fromEntries(prefixes), ':value': value },
    ...(from ? { ExclusiveStartKey: stripKey(from) } : {}),
    ReturnConsumedCapacity: 'TOTAL',
  } as const;
  const reply = await connection.read(() => connection.client.send(new ScanCommand(input), connection.within));
  connection.countRead(reply.ConsumedCapacity?.CapacityUnits);
  const next = reply.LastEvaluatedKey;
  return { keys: (reply.Items ?? []).map(keyOf), next: next && keyOf(next) };
}
