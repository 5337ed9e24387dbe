import type { DynamoDBRecord } from 'aws-lambda';
import { generateChunk, startGeneration } from '../campaigns/generation/generate.ts';
import { finishUpdate } from '../campaigns/update-campaign.ts';
import type { Dependencies } from '../composition.ts';
import { Table } from '../dynamodb.ts';
import { causeOf } from '../failure.ts';
import { sendInvitation } from '../management/send-invitation.ts';
import { keyOf, kinds, tableShape } from '../table.ts';
import type { SendMail } from './mail.ts';

const { partitionKey, sortKey } = tableShape;

/** A record of the table's stream, as Lambda delivers it. */
export type StreamRecord = DynamoDBRecord;

/** In Lambda's event filter syntax, as far as it is used here. */
export type FilterPattern = { readonly [name: string]: FilterPattern | readonly FilterRule[] };
export type FilterRule = string | { readonly prefix: string } | { readonly exists: boolean };

/** Which records the worker acts on; no other wakes it. */
export const recordFilters: readonly FilterPattern[] = [
  {
    eventName: ['INSERT'],
    dynamodb: { Keys: { [sortKey]: { S: [kinds.generationJob, kinds.generationChunk, kinds.invitationMail] } } },
  },
  {
    eventName: ['MODIFY'],
    dynamodb: { Keys: { [sortKey]: { S: [kinds.campaign] } }, NewImage: { modifying: { S: [{ exists: true }] } } },
  },
];

export interface WorkerDependencies extends Dependencies {
  /** Absent: nobody is configured to send mail. */
  sendMail?: SendMail;
}

/** Records under way at once: a record is mostly waiting for the table. */
const recordsAtOnce = 4;

export interface BatchResult {
  /** Sequence numbers of the records to deliver again. */
  batchItemFailures: { itemIdentifier: string }[];
}

/** Does what the records ask for, each for itself: one that fails is named, and keeps no other from being done. */
export async function processRecords(
  records: readonly StreamRecord[],
  dependencies: WorkerDependencies,
): Promise<BatchResult> {
  const waiting = [...records];
  const batchItemFailures: BatchResult['batchItemFailures'] = [];
  async function work(): Promise<void> {
    for (let record = waiting.shift(); record; record = waiting.shift()) {
      if (!(await succeeds(record, dependencies))) {
        batchItemFailures.push({ itemIdentifier: record.dynamodb?.SequenceNumber ?? '' });
      }
    }
  }
  await Promise.all(Array.from({ length: recordsAtOnce }, work));
  return { batchItemFailures };
}

async function succeeds(record: StreamRecord, dependencies: WorkerDependencies): Promise<boolean> {
  const { clock, log } = dependencies;
  const startedAt = clock();
  const image = record.dynamodb?.NewImage;
  const kind = record.dynamodb?.Keys?.[sortKey]?.S;
  let failure: unknown;
  try {
    await dispatch(record, dependencies, startedAt);
  } catch (error) {
    failure = error;
  }
  log(
    JSON.stringify({
      level: failure === undefined ? 'info' : 'error',
      time: startedAt.toISOString(),
      outbox: kind ?? null,
      project_id: image?.project_id?.S ?? null,
      campaign_id: image?.campaign_id?.S ?? image?.id?.S ?? null,
      ...(image?.invitation_id?.S === undefined ? {} : { invitation_id: image.invitation_id.S }),
      duration_ms: clock().getTime() - startedAt.getTime(),
      ...(failure === undefined ? {} : causeOf(failure)),
    }),
  );
  return failure === undefined;
}

async function dispatch(record: StreamRecord, dependencies: WorkerDependencies, now: Date): Promise<void> {
  const { dynamodb, tableName, credentialCache, log, sendMail } = dependencies;
  const image = record.dynamodb?.NewImage;
  const table = new Table(dynamodb, tableName, now);
  const contextOf = async (projectId: string | undefined) => {
    const project = projectId === undefined ? undefined : await credentialCache.project(table, projectId, now);
    if (!project) throw new Error('the project of a record is not there');
    return { table, project, now };
  };
  const campaignId = image?.campaign_id?.S ?? '';
  const stored = record.dynamodb?.Keys;
  switch (stored?.[sortKey]?.S) {
    case kinds.generationJob:
      return startGeneration(await contextOf(image?.project_id?.S), campaignId);
    case kinds.generationChunk:
      return generateChunk(await contextOf(image?.project_id?.S), campaignId, Number(image?.index?.N));
    case kinds.invitationMail: {
      const invitationId = image?.invitation_id?.S ?? '';
      const note = (fields: Record<string, unknown>) =>
        log(JSON.stringify({ level: 'warn', time: now.toISOString(), invitation_id: invitationId, ...fields }));
      return sendInvitation({ table, sendMail, note }, invitationId);
    }
    case kinds.campaign:
      return finishUpdate(
        table,
        keyOf({ [partitionKey]: stored[partitionKey]?.S, [sortKey]: kinds.campaign }),
        image?.modifying?.S ?? '',
      );
  }
}
