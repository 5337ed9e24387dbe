import type { SQSRecord } from 'aws-lambda';
import { describeFailure } from '../../core/failure.ts';
import { keyFromJson, readKinds } from '../../table/keys.ts';
import { kinds } from '../../table/kind-names.ts';
import { type JobDependencies, runJob, type Works } from './run.ts';

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
        const key = keyFromJson(body);
        await (readKinds(key).kind === kinds.job
          ? runJob(key, dependencies, works, isTimeUp)
          : works.changed(key, dependencies));
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
