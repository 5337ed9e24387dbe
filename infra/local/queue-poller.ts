import { DeleteMessageBatchCommand, ReceiveMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';
import type { BatchResult, QueueRecord } from '../../lib/kit/jobs/messages.ts';
import { pause } from '../../lib/table/conflicts.ts';

/** The longest time that SQS lets a call wait for a message. */
const waitInS = 20;
/** Limits a call that waits for a message, which is longer than the client's usual patience. */
const replyTimeoutInMs = waitInS * 1_000 + 5_000;
const pauseAfterErrorInMs = 1_000;

export interface QueuePoller {
  /** Waits for work in progress, and takes no more messages. */
  stop: () => Promise<void>;
}

interface Options {
  client: SQSClient;
  url: string;
  process: (records: readonly QueueRecord[]) => Promise<BatchResult>;
  /** Limits the messages in one call of `process`, and the parallel calls. */
  batchSize: number;
  parallel: number;
  /** Receives the error that keeps messages from being received. */
  onError: (error: unknown) => void;
}

/**
 * Feeds a worker from a queue in place of Lambda. Deletes messages that succeeded. Failed messages are delivered again.
 */
export function startQueuePoller({ client, url, process, batchSize, parallel, onError }: Options): QueuePoller {
  const stopping = new AbortController();

  async function receiveAndProcess(): Promise<void> {
    const input = { QueueUrl: url, MaxNumberOfMessages: batchSize, WaitTimeSeconds: waitInS };
    const { Messages = [] } = await client.send(new ReceiveMessageCommand(input), {
      abortSignal: stopping.signal,
      requestTimeout: replyTimeoutInMs,
    });
    if (Messages.length === 0) return;
    const { batchItemFailures } = await process(
      Messages.map(({ MessageId = '', Body = '' }) => ({ messageId: MessageId, body: Body })),
    );
    const failed = new Set(batchItemFailures.map(({ itemIdentifier }) => itemIdentifier));
    const Entries = Messages.flatMap(({ MessageId = '', ReceiptHandle }, index) =>
      failed.has(MessageId) ? [] : [{ Id: String(index), ReceiptHandle }],
    );
    if (Entries.length > 0) await client.send(new DeleteMessageBatchCommand({ QueueUrl: url, Entries }));
  }

  async function poll(): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        await receiveAndProcess();
      } catch (error) {
        if (stopping.signal.aborted) return;
        onError(error);
        await pause(pauseAfterErrorInMs);
      }
    }
  }

  const polling = Promise.all(Array.from({ length: parallel }, poll));
  return {
    stop: async () => {
      stopping.abort();
      await polling;
    },
  };
}
