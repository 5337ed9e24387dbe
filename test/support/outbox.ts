import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import type { AttributeValue } from 'aws-lambda';
import type { Dependencies } from '../../lib/composition.ts';
import { processRecords, type StreamRecord } from '../../lib/outbox/worker.ts';
import { testDependencies } from './dependencies.ts';

/** The items of a project whose sort key begins so. */
export async function itemsOf(
  projectId: string,
  kind: string,
  { dynamodb, tableName }: Dependencies = testDependencies(),
): Promise<Record<string, unknown>[]> {
  const items: Record<string, unknown>[] = [];
  let start: Record<string, unknown> | undefined;
  do {
    const page = await dynamodb.send(
      new ScanCommand({
        TableName: tableName,
        FilterExpression: 'begins_with(pk, :project) AND begins_with(sk, :kind)',
        ExpressionAttributeValues: { ':project': `${projectId}#`, ':kind': kind },
        ConsistentRead: true,
        ...(start ? { ExclusiveStartKey: start } : {}),
      }),
    );
    items.push(...(page.Items ?? []));
    start = page.LastEvaluatedKey;
  } while (start);
  return items;
}

/** The record that the stream has of an item's writing. */
export function recordOf(item: Record<string, unknown>, eventName: 'INSERT' | 'MODIFY' = 'INSERT'): StreamRecord {
  const image = marshall(item, { removeUndefinedValues: true }) as Record<string, AttributeValue>;
  const { pk = {}, sk = {} } = image as { pk?: AttributeValue; sk?: AttributeValue };
  const SequenceNumber = `${String(item.pk)} ${String(item.sk)}`;
  return {
    eventName,
    dynamodb: { Keys: { pk: pk as AttributeValue, sk: sk as AttributeValue }, NewImage: image, SequenceNumber },
  };
}

/** What the stream has of the project's generation so far: the jobs, and the chunks that they have made. */
export async function generationRecords(projectId: string, dependencies?: Dependencies): Promise<StreamRecord[]> {
  return (await itemsOf(projectId, 'GENERATION_', dependencies)).map((item) => recordOf(item));
}

/** As often as the stack's event source delivers a record before it gives it up, and no busy machine fails it so often. */
const maxDeliveries = 30;

/** Delivers the records, and again those that failed, as Lambda does. */
async function deliver(records: readonly StreamRecord[], dependencies: Dependencies): Promise<void> {
  let open = records;
  for (let delivery = 0; open.length > 0; delivery++) {
    if (delivery === maxDeliveries) throw new Error(`${open.length} records keep failing`);
    const { batchItemFailures } = await processRecords(open, dependencies);
    const failed = new Set(batchItemFailures.map(({ itemIdentifier }) => itemIdentifier));
    open = open.filter(({ dynamodb }) => failed.has(dynamodb?.SequenceNumber ?? ''));
  }
}

/** Delivers all that is there, in two waves: what a job makes is there after it. */
export async function runOutbox(projectId: string, dependencies: Dependencies = testDependencies()): Promise<void> {
  for (const kind of ['GENERATION_JOB', 'GENERATION_CHUNK']) {
    await deliver(
      (await itemsOf(projectId, kind, dependencies)).map((item) => recordOf(item)),
      dependencies,
    );
  }
  for (const campaign of await itemsOf(projectId, 'CAMPAIGN', dependencies)) {
    if (campaign.modifying) await deliver([recordOf(campaign, 'MODIFY')], dependencies);
  }
}
