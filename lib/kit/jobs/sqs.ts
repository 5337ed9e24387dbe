import { SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';
import * as v from 'valibot';
import { callTimes, serviceAt } from '../../core/aws-client.ts';
import type { Key } from '../../table/keys.ts';
import type { Queues, QueueUrls } from './queues.ts';

/** SQS takes this number of messages in a call. */
const sendLimit = 10;
const times = { connectionTimeoutInMs: 1_000, replyTimeoutInMs: 3_000 };

/** Returns queues. `endpoint` is the address of a local SQS, which takes any credentials. */
export function sqsClient(endpoint?: string): SQSClient {
  return new SQSClient({ requestHandler: callTimes(times), ...serviceAt(endpoint) });
}

export function sqsQueues(client: SQSClient, urls: QueueUrls): Queues {
  return {
    send: async (queue, messages) => {
      for (let first = 0; first < messages.length; first += sendLimit) {
        const Entries = messages.slice(first, first + sendLimit).map(({ key, delayInS }, index) => ({
          Id: String(index),
          MessageBody: bodyOf(key),
          ...(delayInS === undefined ? {} : { DelaySeconds: delayInS }),
        }));
        const { Failed = [] } = await client.send(new SendMessageBatchCommand({ QueueUrl: urls[queue], Entries }));
        if (Failed.length > 0) throw new Error(`${Failed.length} messages were not taken: ${Failed[0]?.Code}`);
      }
    },
  };
}

const body = v.pipe(v.string(), v.parseJson(), v.object({ pk: v.string(), sk: v.string() }));

export function bodyOf({ pk, sk }: Key): string {
  return JSON.stringify({ pk, sk });
}

export function keyIn(text: string): Key {
  return v.parse(body, text);
}
