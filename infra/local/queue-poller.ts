import {
  ChangeMessageVisibilityBatchCommand,
  DeleteMessageBatchCommand,
  type Message,
  ReceiveMessageCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import type { BatchResult, QueueRecord } from '#kernel/kit/jobs/messages.ts';
import { pause } from '#kernel/table/conflicts.ts';
import { Lanes } from './lanes.ts';

/** The longest time that SQS lets a call wait for a message. */
const waitInS = 20;
/** Limits a call that waits for a message, which is longer than the client's usual patience. */
const replyTimeoutInMs = waitInS * 1_000 + 5_000;
const pauseAfterErrorInMs = 1_000;

export interface QueuePoller {
  /** Waits for work in progress, and receives no more messages. */
  stop: () => Promise<void>;
}

/** Makes a queue fair, because the local SQS knows no groups. Each message is then a separate call. */
interface Fairness {
  /** Names the receiver of a message by its body. */
  receiverOf: (body: string) => string;
  /** Limits the parallel calls for one receiver. */
  perReceiver: number;
  /** Only a receiver without calls may use these last places. */
  kept: number;
  /** A call that lasts longer only waits for its receiver, so it gives its place to another call. */
  asideAfterMs: number;
}

interface Options {
  client: SQSClient;
  url: string;
  process: (records: readonly QueueRecord[]) => Promise<BatchResult>;
  /** Limits the messages in one call of `process`, and the parallel calls. */
  batchSize: number;
  parallel: number;
  fair?: Fairness;
  /** Receives the error that keeps messages from being received. */
  onError: (error: unknown) => void;
}

/** SQS gives this number of messages in a call. */
const mostInCall = 10;
/** Limits the messages that wait in memory for a receiver. The local SQS keeps them in the same memory. */
const mostWaiting = 10_000;
/** Messages wait for slow receivers, and no other call gets them during that time. SQS allows no longer time. */
const heldForInS = 12 * 3_600;
const failedForInS = 120;
/** A message whose lane is full is delivered again after this time. */
const refusedForInS = 20;

/** Returns the receiver of a message. The worker reports a message that cannot be read. */
function receiverIn(body: string, { receiverOf }: Fairness): string {
  try {
    return receiverOf(body);
  } catch {
    return '';
  }
}

/**
 * Feeds a worker from a queue in place of Lambda. Deletes messages that succeeded. Failed messages are delivered again.
 * Only a single call waits for messages at any time, because the local SQS wakes all waiting calls for each message.
 */
export function startQueuePoller(options: Options): QueuePoller {
  const { client, url, process, batchSize, parallel, fair, onError } = options;
  const stopping = new AbortController();
  const lanes = new Lanes<Message[]>(
    { atOnce: parallel, perReceiver: parallel, waiting: 1, ...(fair && { ...fair, waiting: mostWaiting }) },
    (messages) => work(messages).catch(onError),
  );
  /** The bodies that wait in lanes. The sweep repeats messages of a slow receiver, and one of each is enough. */
  const waiting = new Set<string>();

  async function returnLater(messages: readonly Message[], VisibilityTimeout: number): Promise<void> {
    if (messages.length === 0) return;
    const Entries = messages.map(({ ReceiptHandle }, index) => ({
      Id: String(index),
      ReceiptHandle,
      VisibilityTimeout,
    }));
    await client.send(new ChangeMessageVisibilityBatchCommand({ QueueUrl: url, Entries }));
  }

  async function remove(messages: readonly Message[]): Promise<void> {
    if (messages.length === 0) return;
    const Entries = messages.map(({ ReceiptHandle }, index) => ({ Id: String(index), ReceiptHandle }));
    await client.send(new DeleteMessageBatchCommand({ QueueUrl: url, Entries }));
  }

  async function work(messages: readonly Message[]): Promise<void> {
    for (const { Body = '' } of messages) waiting.delete(Body);
    const { batchItemFailures } = await process(
      messages.map(({ MessageId = '', Body = '' }) => ({ messageId: MessageId, body: Body })),
    );
    const failed = new Set(batchItemFailures.map(({ itemIdentifier }) => itemIdentifier));
    const isFailed = ({ MessageId = '' }: Message) => failed.has(MessageId);
    await remove(messages.filter((message) => !isFailed(message)));
    await returnLater(messages.filter(isFailed), failedForInS);
  }

  async function receive(): Promise<void> {
    const { Messages = [] } = await client.send(
      new ReceiveMessageCommand({
        QueueUrl: url,
        MaxNumberOfMessages: fair ? mostInCall : batchSize,
        WaitTimeSeconds: waitInS,
        ...(fair ? { VisibilityTimeout: heldForInS } : {}),
      }),
      { abortSignal: stopping.signal, requestTimeout: replyTimeoutInMs },
    );
    if (Messages.length === 0) return;
    if (!fair) {
      lanes.add('', Messages);
      return;
    }
    const repeated: Message[] = [];
    const refused: Message[] = [];
    for (const message of Messages) {
      const { Body = '' } = message;
      if (waiting.has(Body)) {
        repeated.push(message);
        continue;
      }
      waiting.add(Body);
      if (lanes.add(receiverIn(Body, fair), [message])) continue;
      waiting.delete(Body);
      refused.push(message);
    }
    await Promise.all([remove(repeated), returnLater(refused, refusedForInS)]);
  }

  async function poll(): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        if (lanes.isFree) await receive();
        else await lanes.oneFreed();
      } catch (error) {
        if (stopping.signal.aborted) return;
        onError(error);
        await pause(pauseAfterErrorInMs);
      }
    }
  }

  const polling = poll();
  return {
    stop: async () => {
      stopping.abort();
      await Promise.all([polling, lanes.stop()]);
    },
  };
}
