import { SendMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';
import { toAscii } from '#kernel/core/ascii-json.ts';
import { callTimes, chooseEndpoint } from '#kernel/core/aws-client.ts';
import { within } from '#kernel/core/within.ts';
import { type Answer, shorten } from './target.ts';
import type { AccountTarget } from './target-address.ts';

/** Sends events to queues and buses of the account. Only the SDK repeats a call that fails. */

export interface AccountMessage {
  readonly id: string;
  readonly type: string;
  readonly body: string;
}

/** Sends a message. Throws if the service does not accept it. */
type Send = (name: string, message: AccountMessage) => Promise<Answer>;

export interface AccountTargets {
  /** The targets that the stage allows, such as `sqs:orders`. Without a list, all are allowed. */
  readonly allowed?: readonly string[] | undefined;
  readonly sqs?: Send;
  readonly eventbridge?: Send;
  readonly timeoutInMs?: number;
}

/** Longer than all attempts of the SDK, whose own times end before the body of an answer. */
const usualTimeoutInMs = 20_000;

/** Sends to queues in the account and region of the service's own queues. */
export function createQueueSender(client: Pick<SQSClient, 'send'>, ownQueueUrl: string): Send {
  const base = ownQueueUrl.slice(0, ownQueueUrl.lastIndexOf('/') + 1);
  return async (name, { id, body }) => {
    const ofFifo = { MessageDeduplicationId: id, MessageGroupId: id };
    const { MessageId, $metadata } = await client.send(
      new SendMessageCommand({
        QueueUrl: base + name,
        MessageBody: toAscii(body),
        ...(name.endsWith('.fifo') ? ofFifo : {}),
      }),
    );
    return { status: $metadata.httpStatusCode ?? null, text: `message ${MessageId}` };
  };
}

const times = { connectionTimeoutInMs: 1_000, replyTimeoutInMs: 3_000 };

/** Returns a sender that loads the client with its first event, because few services have a bus. */
export function createBusSender(endpoint?: string): Send {
  const loading = async () => {
    const { EventBridgeClient, PutEventsCommand } = await import('@aws-sdk/client-eventbridge');
    const client = new EventBridgeClient({ requestHandler: callTimes(times), ...chooseEndpoint(endpoint) });
    return (EventBusName: string, DetailType: string, Detail: string) =>
      client.send(new PutEventsCommand({ Entries: [{ EventBusName, Source: 'tessera', DetailType, Detail }] }));
  };
  let loaded: ReturnType<typeof loading> | undefined;
  return async (name, { type, body }) => {
    loaded ??= loading();
    const { Entries: [entry] = [], $metadata } = await (await loaded)(name, type, body);
    // A call may succeed although its one event is refused.
    if (!entry?.EventId) return { status: null, text: `${entry?.ErrorCode}: ${entry?.ErrorMessage}` };
    return { status: $metadata.httpStatusCode ?? null, text: `event ${entry.EventId}` };
  };
}

/** Sends an event to a queue or a bus. Never throws. */
export async function sendInAccount(
  { kind, name }: AccountTarget,
  message: AccountMessage,
  targets: AccountTargets = {},
): Promise<Answer> {
  const { allowed, [kind]: send, timeoutInMs = usualTimeoutInMs } = targets;
  const refuse = (text: string): Answer => ({ status: null, text });
  if (!send || (allowed && !allowed.includes(`${kind}:${name}`))) {
    return refuse(`${kind}:${name} is not among the event-targets of this deployment: add it there`);
  }
  return within(timeoutInMs, send(name, message), 'no answer in time').catch((error: unknown) =>
    refuse(shorten(error instanceof Error ? `${error.name}: ${error.message}` : String(error))),
  );
}
