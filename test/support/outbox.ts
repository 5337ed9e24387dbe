import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import type { AttributeValue } from 'aws-lambda';
import type { Dependencies } from '../../lib/http/composition.ts';
import { type QueueRecord, runMessages } from '../../lib/jobs/messages.ts';
import type { JobDependencies } from '../../lib/jobs/run.ts';
import { bodyOf } from '../../lib/jobs/sqs.ts';
import type { SendMail } from '../../lib/mail/mail.ts';
import { type Key, keyOf, keyText } from '../../lib/table/keys.ts';
import type { StreamRecord } from '../../lib/table/stream.ts';
import { worksWith } from '../../lib/works.ts';
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
  return keys.map((key) => ({ messageId: keyText(key), body: bodyOf(key) }));
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
  const jobs = await itemsOf(projectId, 'JOB', dependencies);
  return jobs.filter(({ state }) => state === 'OPEN');
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
