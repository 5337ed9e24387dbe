import type { SQSRecord } from 'aws-lambda';
import { describeFailure } from '../../core/failure.ts';
import { readMessage } from '../../table/keys.ts';
import { type JobDependencies, runMessage, type Works } from './run.ts';

/** A message of a queue, as Lambda delivers it. */
export type QueueRecord = Pick<SQSRecord, 'messageId' | 'body'>;

export interface BatchResult {
  /** The ids of messages to deliver again. */
  batchItemFailures: { itemIdentifier: string }[];
}

/** Processes each message independently, and names those that failed. */
export async function runMessages(
  records: readonly QueueRecord[],
  dependencies: JobDependencies,
  works: Works,
  isTimeUp: () => boolean = () => false,
): Promise<BatchResult> {
  const { clock, log } = dependencies;
  const batchItemFailures: BatchResult['batchItemFailures'] = [];
  await Promise.all(
    records.map(async ({ messageId, body }) => {
      try {
        const { key, more } = readMessage(body);
        await runMessage(key, more, dependencies, works, isTimeUp);
      } catch (error) {
        batchItemFailures.push({ itemIdentifier: messageId });
        const fields = {
          level: 'error',
          time: clock().toISOString(),
          message_id: messageId,
          ...describeFailure(error),
        };
        log(JSON.stringify(fields));
      }
    }),
  );
  return { batchItemFailures };
}
