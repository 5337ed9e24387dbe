import { SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';
import { callTimes, chooseEndpoint } from '../../core/aws-client.ts';
import { stripKey } from '../../table/keys.ts';
import type { Queues, QueueUrls } from './queues.ts';

/** SQS takes this number of messages in a call. */
const sendLimit = 10;
const times = { connectionTimeoutInMs: 1_000, replyTimeoutInMs: 3_000 };

/** Returns a client. `endpoint` is the address of a local SQS, which takes any credentials. */
export function createSqsClient(endpoint?: string): SQSClient {
  return new SQSClient({ requestHandler: callTimes(times), ...chooseEndpoint(endpoint) });
}

export function createSqsQueues(client: SQSClient, urls: QueueUrls): Queues {
  return {
    send: async (queue, messages) => {
      for (let first = 0; first < messages.length; first += sendLimit) {
        const Entries = messages.slice(first, first + sendLimit).map(({ key, delayInS, more, group }, index) => ({
          Id: String(index),
          MessageBody: JSON.stringify({ ...stripKey(key), ...more }),
          ...(group === undefined ? {} : { MessageGroupId: group }),
          ...(delayInS === undefined ? {} : { DelaySeconds: delayInS }),
        }));
        const { Failed = [] } = await client.send(new SendMessageBatchCommand({ QueueUrl: urls[queue], Entries }));
        if (Failed.length > 0) throw new Error(`${Failed.length} messages were not taken: ${Failed[0]?.Code}`);
      }
    },
  };
}
