import type { DynamoDBStreamEvent } from 'aws-lambda';
import { compose, type Dependencies } from '../lib/composition.ts';
import { type BatchResult, processRecords } from '../lib/outbox/worker.ts';

let composed: Dependencies | undefined;

/** What Lambda calls with records of the table's stream. */
export async function handler({ Records }: DynamoDBStreamEvent): Promise<BatchResult> {
  composed ??= compose(process.env);
  return processRecords(Records, composed);
}
