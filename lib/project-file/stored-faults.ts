import { type DynamoDBDocumentClient, QueryCommand } from '@aws-sdk/lib-dynamodb';
import type { Table } from '../dynamodb.ts';
import { tableShape } from '../table.ts';
import { inBatches } from './batches.ts';
import { conflictsOf, type ItemWrite } from './item-write.ts';

interface StoredItems {
  table: Table;
  dynamodb: DynamoDBDocumentClient;
  tableName: string;
}

/** With a claim each, as many keys as DynamoDB takes in one BatchGetItem. */
const writesAtOnce = 50;

/** What items of the file and the table can't both have; goes through them as they come, a batch at a time. */
export async function storedFaults(
  items: StoredItems,
  writes: AsyncIterable<ItemWrite> | Iterable<ItemWrite>,
): Promise<string[]> {
  const faults: string[] = [];
  for await (const batch of inBatches(writes, writesAtOnce)) {
    const guarded = batch
      .flatMap((write) => (write.claim ? [write.claim, write] : [write]))
      .filter(({ fixed, kept, dated }) => fixed ?? kept ?? dated);
    const stored = await items.table.getMany(guarded.map(({ key }) => key));
    faults.push(...guarded.flatMap((write, index) => (stored[index] ? conflictsOf(write, stored[index]) : [])));
    const absent = guarded.filter(({ dated }, index) => dated !== undefined && stored[index] === undefined);
    faults.push(...(await otherDates(items, absent)));
  }
  return faults;
}

/** Of items that the table does not have under their date: those that it has under another. */
async function otherDates(items: StoredItems, absent: readonly ItemWrite[]): Promise<string[]> {
  const faults: string[] = [];
  for (const [partition, writes] of Map.groupBy(absent, ({ key }) => key.pk)) {
    const stored = await idsAmong(items, partition, new Set(writes.map(({ item }) => item.id)));
    faults.push(...writes.flatMap(({ item, dated }) => (dated !== undefined && stored.has(item.id) ? [dated] : [])));
  }
  return faults;
}

async function idsAmong(
  { dynamodb, tableName }: StoredItems,
  partition: string,
  wanted: ReadonlySet<unknown>,
): Promise<Set<unknown>> {
  const found = new Set<unknown>();
  let start: Record<string, unknown> | undefined;
  do {
    const page = await dynamodb.send(
      new QueryCommand({
        TableName: tableName,
        ConsistentRead: true,
        KeyConditionExpression: '#partition = :partition',
        ProjectionExpression: '#id',
        ExpressionAttributeNames: { '#partition': tableShape.partitionKey, '#id': 'id' },
        ExpressionAttributeValues: { ':partition': partition },
        ...(start ? { ExclusiveStartKey: start } : {}),
      }),
    );
    for (const { id } of page.Items ?? []) if (wanted.has(id)) found.add(id);
    start = page.LastEvaluatedKey;
  } while (start);
  return found;
}
