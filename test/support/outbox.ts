import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import type { AttributeValue } from 'aws-lambda';
import type { SendMail } from '#kernel/core/mail/mail.ts';
import type { Dependencies } from '#kernel/http/composition.ts';
import { type QueueRecord, runMessages } from '#kernel/kit/jobs/messages.ts';
import type { JobDependencies } from '#kernel/kit/jobs/run.ts';
import { type IndexName, type Key, keyAsJson, keyOf, keyText } from '#kernel/table/keys.ts';
import type { StreamRecord } from '#kernel/table/stream.ts';
import { Table } from '#kernel/table/table.ts';
import { createWorks } from '#registry.ts';
import { testDependencies, testTime } from './dependencies.ts';

type Item = Record<string, unknown>;

/** Scans the table or one of its indexes for keys with this beginning. */
async function scanned(
  projectId: string,
  kind: string,
  { dynamodb, tableName }: Dependencies,
  place: { IndexName: IndexName } | { ConsistentRead: true },
): Promise<Item[]> {
  const items: Item[] = [];
  let start: Item | undefined;
  do {
    const page = await dynamodb.send(
      new ScanCommand({
        TableName: tableName,
        FilterExpression: 'begins_with(pk, :project) AND begins_with(sk, :kind)',
        ExpressionAttributeValues: { ':project': `${projectId}#`, ':kind': kind },
        ...place,
        ...(start ? { ExclusiveStartKey: start } : {}),
      }),
    );
    items.push(...(page.Items ?? []));
    start = page.LastEvaluatedKey;
  } while (start);
  return items;
}

/** Returns the items of a project with this beginning of the sort key. */
export async function itemsOf(projectId: string, kind: string, dependencies: Dependencies = testDependencies()) {
  const items = await scanned(projectId, kind, dependencies, { ConsistentRead: true });
  // A tombstone that only keeps its key from late inserts is nothing that a caller sees.
  return items.filter(({ fence }) => fence === undefined);
}

/** Returns the stream record of an item's write. */
export function recordOf(
  item: Record<string, unknown>,
  eventName: 'INSERT' | 'MODIFY' = 'INSERT',
  before?: Record<string, unknown>,
): StreamRecord {
  const imageOf = (some: Record<string, unknown>) =>
    marshall(some, { removeUndefinedValues: true }) as Record<string, AttributeValue>;
  const image = imageOf(item);
  const { pk = {}, sk = {} } = image as { pk?: AttributeValue; sk?: AttributeValue };
  const SequenceNumber = `${String(item.pk)} ${String(item.sk)}`;
  return {
    eventName,
    dynamodb: {
      Keys: { pk: pk as AttributeValue, sk: sk as AttributeValue },
      NewImage: image,
      SequenceNumber,
      ...(before && { OldImage: imageOf(before) }),
    },
  };
}

/** Makes queue messages for these items. Their ids name them in a report of failures. */
export function messagesFor(keys: readonly Key[]): QueueRecord[] {
  return keys.map((key) => ({ messageId: keyText(key), body: keyAsJson(key) }));
}

interface Delivery {
  sendMail?: SendMail;
}

/** Delivers one message per item to a worker. */
export function deliver(
  items: readonly Record<string, unknown>[],
  dependencies: JobDependencies = testDependencies(),
  works: Delivery = {},
) {
  return runMessages(messagesFor(items.map(keyOf)), dependencies, createWorks(works));
}

/** Returns the project's open jobs. */
export async function openJobs(projectId: string, dependencies: JobDependencies = testDependencies()) {
  // Local engines update an index immediately, and due items are few.
  const due = await scanned(projectId, 'JOB', dependencies, { IndexName: 'due' });
  const { dynamodb, tableName } = dependencies;
  const jobs = await new Table(dynamodb, tableName, testTime).getMany(due.map(keyOf));
  return jobs.flatMap((job) => (job?.state === 'OPEN' ? [job] : []));
}

/** A busy machine does not fail one job this often. */
const maxDeliveries = 30;

/** Delivers open jobs until none is left, in the role of stream, queues and sweep. */
export async function runOutbox(
  projectId: string,
  dependencies: JobDependencies = testDependencies(),
  works: Delivery = {},
): Promise<void> {
  for (let delivery = 0; delivery < maxDeliveries; delivery++) {
    const open = await openJobs(projectId, dependencies);
    if (open.length === 0) return;
    await deliver(open, dependencies, works);
  }
  throw new Error('jobs of the project stay open');
}
