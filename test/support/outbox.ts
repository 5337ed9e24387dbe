import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import type { AttributeValue } from 'aws-lambda';
import { worksWith } from '../../lib/background/works.ts';
import type { SendMail } from '../../lib/core/mail/mail.ts';
import type { Dependencies } from '../../lib/http/composition.ts';
import { type QueueRecord, runMessages } from '../../lib/kit/jobs/messages.ts';
import type { JobDependencies } from '../../lib/kit/jobs/run.ts';
import { type IndexName, type Key, keyAsJson, keyOf, keyText } from '../../lib/table/keys.ts';
import type { StreamRecord } from '../../lib/table/stream.ts';
import { Table } from '../../lib/table/table.ts';
import { testDependencies, testTime } from './dependencies.ts';

type Item = Record<string, unknown>;

/** Of the whole table, or of what an index has of it: keys that begin so. */
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

/** The items of a project whose sort key begins so. */
export function itemsOf(projectId: string, kind: string, dependencies: Dependencies = testDependencies()) {
  return scanned(projectId, kind, dependencies, { ConsistentRead: true });
}

/** The record that the stream has of an item's writing. */
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

/** Messages of a queue for these items, under ids by which a failure names them. */
export function messagesFor(keys: readonly Key[]): QueueRecord[] {
  return keys.map((key) => ({ messageId: keyText(key), body: keyAsJson(key) }));
}

interface Delivery {
  sendMail?: SendMail;
}

/** Delivers a message for each of the items to a worker, once. */
export function deliver(
  items: readonly Record<string, unknown>[],
  dependencies: JobDependencies = testDependencies(),
  works: Delivery = {},
) {
  return runMessages(messagesFor(items.map(keyOf)), dependencies, worksWith(works));
}

/** The project's jobs that are open. */
export async function openJobs(projectId: string, dependencies: JobDependencies = testDependencies()) {
  // Local engines keep an index as they write, and what is due is little of a table.
  const due = await scanned(projectId, 'JOB', dependencies, { IndexName: 'due' });
  const { dynamodb, tableName } = dependencies;
  const jobs = await new Table(dynamodb, tableName, testTime).getMany(due.map(keyOf));
  return jobs.flatMap((job) => (job?.state === 'OPEN' ? [job] : []));
}

/** No busy machine fails one so often. */
const maxDeliveries = 30;

/** Delivers all that is open until nothing is, as stream, queues and sweep do together. */
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
