import { hash } from 'node:crypto';
import { SendMessageBatchCommand, type SendMessageBatchRequestEntry, SQSClient } from '@aws-sdk/client-sqs';
import { asciiJson } from '#kernel/core/ascii-json.ts';
import { callTimes, chooseEndpoint } from '#kernel/core/aws-client.ts';
import { stripKey } from '#kernel/table/keys.ts';
import { type Message, MessagesRefused, type Queues, type QueueUrls, type RefusedMessage } from './queues.ts';

/** SQS accepts this number of messages in a call. */
const sendLimit = 10;
const times = { connectionTimeoutInMs: 1_000, replyTimeoutInMs: 3_000 };

/** Returns a client. `endpoint` is the address of a local SQS, which accepts any credentials. */
export function createSqsClient(endpoint?: string): SQSClient {
  return new SQSClient({ requestHandler: callTimes(times), ...chooseEndpoint(endpoint) });
}

/** The errors of SQS for the content or the size of a message. They are repeated however often it is sent. */
const contentErrors = ['InvalidMessageContents', 'InvalidParameterValue', 'BatchRequestTooLong'];

const isOfContent = (code = '') => contentErrors.some((one) => code.includes(one));

/** Returns the name of a group in the characters and the length that SQS accepts. */
const groupIn = (group: string) => (/^[!-~]{1,128}$/.test(group) ? group : hash('sha256', group));

function toEntry({ key, delayInS, more, group }: Message, index: number): SendMessageBatchRequestEntry {
  return {
    Id: String(index),
    MessageBody: asciiJson({ ...stripKey(key), ...more }),
    ...(group === undefined ? {} : { MessageGroupId: groupIn(group) }),
    ...(delayInS === undefined ? {} : { DelaySeconds: delayInS }),
  };
}

/** Sends messages in a single call, and returns those that SQS refused. Throws if the call fails. */
async function sendBatch(client: SQSClient, url: string, messages: readonly Message[]): Promise<RefusedMessage[]> {
  const Entries = messages.map(toEntry);
  try {
    const { Failed = [] } = await client.send(new SendMessageBatchCommand({ QueueUrl: url, Entries }));
    const lost = Failed.filter(({ Code }) => !isOfContent(Code));
    if (lost.length > 0) throw new Error(`${lost.length} messages were not taken: ${lost[0]?.Code}`);
    return Failed.flatMap(({ Id, Code, Message: words = '' }) => {
      const message = messages[Number(Id)];
      return message ? [{ key: stripKey(message.key), why: `${Code} ${words}`.trim() }] : [];
    });
  } catch (error) {
    if (!(error instanceof Error) || !isOfContent(error.name)) throw error;
    const [first] = messages;
    if (first && messages.length === 1) return [{ key: stripKey(first.key), why: `${error.name} ${error.message}` }];
  }
  // SQS refuses the whole call for one message, or because all messages together are too large.
  const refused: RefusedMessage[] = [];
  for (const message of messages) refused.push(...(await sendBatch(client, url, [message])));
  return refused;
}

export function createSqsQueues(client: SQSClient, urls: Partial<QueueUrls>): Queues {
  return {
    send: async (queue, messages) => {
      const url = urls[queue];
      if (url === undefined) throw new Error(`the environment names no queue ${queue}: its add-on is left out`);
      const refused: RefusedMessage[] = [];
      for (let first = 0; first < messages.length; first += sendLimit) {
        refused.push(...(await sendBatch(client, url, messages.slice(first, first + sendLimit))));
      }
      if (refused.length > 0) throw new MessagesRefused(refused);
    },
  };
}
