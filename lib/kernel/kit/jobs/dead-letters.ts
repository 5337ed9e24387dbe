import { SendMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';
import { asciiJson } from '#kernel/core/ascii-json.ts';
import { keyAsJson, stripKey } from '#kernel/table/keys.ts';
import { MessagesRefused, type Queues } from './queues.ts';

interface DeadLetters {
  readonly client: Pick<SQSClient, 'send'>;
  /** The queue that keeps the letters. */
  readonly url: string;
  readonly clock: () => Date;
  readonly log: (line: string) => void;
}

/**
 * Returns queues for a reader of the stream. It must continue after a message that its queue will never accept, because
 * every later record would wait. The dead letter names the item that the message is about, without further content.
 */
export function settingAside(queues: Queues, { client, url, clock, log }: DeadLetters): Queues {
  return {
    send: async (queue, messages) => {
      try {
        await queues.send(queue, messages);
      } catch (error) {
        if (!(error instanceof MessagesRefused)) throw error;
        for (const { key, why } of error.refused) {
          const MessageBody = asciiJson({ ...stripKey(key), queue, why });
          await client.send(new SendMessageCommand({ QueueUrl: url, MessageBody }));
          const message = 'a queue refused a message, which is in the dead letters now';
          const line = { level: 'error', time: clock().toISOString(), part: 'dead-letters', message };
          log(JSON.stringify({ ...line, queue, item: keyAsJson(key), why }));
        }
      }
    },
  };
}
