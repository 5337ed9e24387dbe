import { DeleteMessageBatchCommand, ReceiveMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';
import type { BatchResult, QueueRecord } from '../../lib/kit/jobs/messages.ts';
import { pause } from '../../lib/table/conflicts.ts';

/** The longest that SQS lets a call wait for a message. */
const waitInS = 20;
/** A call that waits for a message is answered later than the client has patience for. */
const replyTimeoutInMs = waitInS * 1_000 + 5_000;
const pauseAfterErrorInMs = 1_000;

export interface QueuePoller {
  /** Lets what is under way end, and takes nothing more. */
  stop: () => Promise<void>;
}

interface Options {
  client: SQSClient;
  url: string;
  process: (records: readonly QueueRecord[]) => Promise<BatchResult>;
  /** Messages in one call of `process`, and calls at once. */
  batchSize: number;
  parallel: number;
  /** Takes what keeps messages from being received. */
  onError: (error: unknown) => void;
}

/** Feeds a worker from a queue where no Lambda does: what it does not name as failed is deleted, the rest comes again. */
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
