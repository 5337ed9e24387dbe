import type { Key } from '#kernel/table/keys.ts';

/** Lists the queues, one for each class of work, so that a slow class delays no other. */
export const queueNames = ['generation', 'bulk', 'mail', 'segments', 'exports', 'events', 'webhooks'] as const;

export type QueueName = (typeof queueNames)[number];

export type QueueUrls = Readonly<Record<QueueName, string>>;

/** Returns the environment variable with the queue's address. */
export function queueVariable<N extends QueueName>(name: N): `${Uppercase<N>}_QUEUE_URL`;
export function queueVariable(name: string): string {
  return `${name.toUpperCase()}_QUEUE_URL`;
}

/** An event of the item under the key, for the worker that fans it out. */
interface EventFacts {
  readonly event: {
    readonly id: string;
    readonly type: string;
    readonly at: string;
    readonly group?: string | undefined;
    readonly change?: number | undefined;
    readonly image?: Readonly<Record<string, unknown>> | undefined;
  };
}

/** The earlier attempts of the delivery under the key, and how often this delivery has waited for its turn. */
interface DeliveryFacts {
  readonly tries: number;
  readonly waits?: number | undefined;
}

/** Names the item that describes the work. */
export interface Message {
  key: Key;
  /** At most 900, the limit of SQS. */
  delayInS?: number;
  /** Further facts, in addition to the key. Jobs need no facts. */
  more?: EventFacts | DeliveryFacts;
  /** The receiver of the work. A fair queue lets other messages pass the messages of a slow receiver. */
  group?: string;
}

/** A message that its queue will never accept, and why. */
export interface RefusedMessage {
  readonly key: Key;
  readonly why: string;
}

/**
 * Names messages that their queue refused for their content. Sending them again does not help. All other messages were
 * sent.
 */
export class MessagesRefused extends Error {
  readonly refused: readonly RefusedMessage[];

  constructor(refused: readonly RefusedMessage[]) {
    super(`${refused.length} messages were refused: ${refused[0]?.why}`);
    this.refused = refused;
  }
}

export interface Queues {
  /** Sends messages. Throws `MessagesRefused` for their content, or another error if they were not accepted this time. */
  send: (queue: QueueName, messages: readonly Message[]) => Promise<void>;
}

export const longestDelayInS = 900;
