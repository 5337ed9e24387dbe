import type { SQSRecord } from 'aws-lambda';
import { describeFailure } from '#kernel/core/failure.ts';
import { within } from '#kernel/core/within.ts';
import { readMessage } from '#kernel/table/keys.ts';
import { type JobDependencies, runMessage, type Works } from './run.ts';

/** A message of a queue, as Lambda delivers it. */
export type QueueRecord = Pick<SQSRecord, 'messageId' | 'body'>;

export interface BatchResult {
  /** The ids of messages to deliver again. */
  batchItemFailures: { itemIdentifier: string }[];
}

/**
 * Processes each message independently, and names the failed messages. After `endsInMs`, unfinished work counts as
 * failed, because a call that is cut off would also repeat the finished messages.
 */
export async function runMessages(
  records: readonly QueueRecord[],
  dependencies: JobDependencies,
  works: Works,
  isTimeUp: () => boolean = () => false,
  endsInMs?: number,
): Promise<BatchResult> {
  const { clock, log } = dependencies;
  const batchItemFailures: BatchResult['batchItemFailures'] = [];
  await Promise.all(
    records.map(async ({ messageId, body }) => {
      try {
        const { key, more } = readMessage(body);
        const work = runMessage(key, more, dependencies, works, isTimeUp);
        await (endsInMs === undefined ? work : within(endsInMs, work, 'the message took all the time of the call'));
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
