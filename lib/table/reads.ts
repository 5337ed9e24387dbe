import { BatchGetCommand, GetCommand, QueryCommand, ScanCommand, TransactGetCommand } from '@aws-sdk/lib-dynamodb';
import type * as v from 'valibot';
import type { Query } from './command.ts';
import { queryInput } from './command-input.ts';
import { conflictShare, NoCapacityError, unlessConflict } from './conflicts.ts';
import type { Connection } from './connection.ts';
import { type Attributes, parseStored } from './item.ts';
import { bare, type Key, keyOf, keyText, tableShape } from './keys.ts';

/** Reads of `Table`, which says what each is for. */

/** DynamoDB takes 100 keys a BatchGetItem. */
const batchGetLimit = 100;

/** A tombstone (`lib/deletion`) is read as nothing. */
function unlessDeleted(item: Attributes | undefined): Attributes | undefined {
  return item?.deleted_at === undefined ? item : undefined;
}

export async function readItem<S extends v.GenericSchema>(
  connection: Connection,
  key: Key,
  schema: S,
): Promise<v.InferOutput<S> | undefined> {
  const reply = await connection.client.send(
    new GetCommand({
      TableName: connection.tableName,
      Key: bare(key),
      ConsistentRead: true,
      ReturnConsumedCapacity: 'TOTAL',
    }),
    connection.within,
  );
  connection.countRead(reply.ConsumedCapacity?.CapacityUnits);
  const item = unlessDeleted(connection.unlessExpired(reply.Item));
  return item && parseStored(schema, item);
}

export async function readMany(
  connection: Connection,
  wanted: readonly Key[],
  { deletedToo = false }: { deletedToo?: boolean } = {},
): Promise<(Attributes | undefined)[]> {
  const found = new Map<string, Attributes>();
  let open = [...new Map(wanted.map((key) => [keyText(key), bare(key)])).values()];
  const deadline = performance.now() + connection.patienceInMs * conflictShare;
  for (let round = 0; open.length > 0; ) {
    const batch = open.slice(0, batchGetLimit);
    const reply = await connection.client.send(
      new BatchGetCommand({
        RequestItems: { [connection.tableName]: { Keys: batch, ConsistentRead: true } },
        ReturnConsumedCapacity: 'TOTAL',
      }),
      connection.within,
    );
    connection.countRead(reply.ConsumedCapacity?.reduce((sum, part) => sum + (part.CapacityUnits ?? 0), 0));
    for (const item of reply.Responses?.[connection.tableName] ?? []) found.set(keyText(keyOf(item)), item);
    const unprocessed = (reply.UnprocessedKeys?.[connection.tableName]?.Keys ?? []).map(keyOf);
    open = [...unprocessed, ...open.slice(batchGetLimit)];
    round = unprocessed.length > 0 ? round + 1 : 0;
    if (round > 0 && performance.now() > deadline) throw new NoCapacityError('the table has no capacity for a read');
    if (round > 0) await connection.pause(2 ** round * 25);
  }
  return wanted.map((key) => {
    const item = connection.unlessExpired(found.get(keyText(key)));
    return deletedToo ? item : unlessDeleted(item);
  });
}

export async function readAtOnce(connection: Connection, wanted: readonly Key[]): Promise<(Attributes | undefined)[]> {
  const items = wanted.map((key) => ({ Get: { TableName: connection.tableName, Key: bare(key) } }));
  const input = { TransactItems: items, ReturnConsumedCapacity: 'TOTAL' } as const;
  const reply = await unlessConflict(
    () => connection.client.send(new TransactGetCommand(input), connection.within),
    connection.patienceInMs,
  );
  connection.countRead(reply.ConsumedCapacity?.reduce((sum, part) => sum + (part.CapacityUnits ?? 0), 0));
  return wanted.map((_, index) => unlessDeleted(connection.unlessExpired(reply.Responses?.[index]?.Item)));
}

export async function* readPages(connection: Connection, query: Query): AsyncGenerator<Attributes[]> {
  let open = query.limit ?? Number.POSITIVE_INFINITY;
  let start: Attributes | undefined;
  do {
    const input = queryInput(connection.tableName, query, { open, start });
    const reply = await connection.client.send(new QueryCommand(input), connection.within);
    connection.countRead(reply.ConsumedCapacity?.CapacityUnits);
    const found = (reply.Items ?? []).filter((item) => connection.unlessExpired(item) !== undefined);
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
    const reply = await connection.client.send(
      new ScanCommand({
        TableName: connection.tableName,
        ConsistentRead: true,
        FilterExpression: 'begins_with(#partition, :prefix)',
        ExpressionAttributeNames: { '#partition': tableShape.partitionKey },
        ExpressionAttributeValues: { ':prefix': partitionPrefix },
        ...(start ? { ExclusiveStartKey: start } : {}),
        ReturnConsumedCapacity: 'TOTAL',
      }),
      connection.within,
    );
    connection.countRead(reply.ConsumedCapacity?.CapacityUnits);
    start = reply.LastEvaluatedKey;
    const found = (reply.Items ?? []).filter((item) => connection.unlessExpired(item) !== undefined);
    if (found.length > 0) yield found;
  } while (start);
}
