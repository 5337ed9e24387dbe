import type { Key } from '../../table/keys.ts';

/** Lists the queues, one for each class of work, so that a slow class delays no other. */
export const queueNames = ['generation', 'bulk', 'mail', 'segments', 'exports', 'events', 'webhooks'] as const;

export type QueueName = (typeof queueNames)[number];

export type QueueUrls = Readonly<Record<QueueName, string>>;

/** Returns the environment variable with the queue's address. */
export function queueVariable<N extends QueueName>(name: N): `${Uppercase<N>}_QUEUE_URL`;
export function queueVariable(name: string): string {
  return `${name.toUpperCase()}_QUEUE_URL`;
}

/** Names the item that describes the work. */
export interface Message {
  key: Key;
  /** At most 900, the limit of SQS. */
  delayInS?: number;
  /** Further facts, besides the key. */
  more?: Readonly<Record<string, unknown>>;
  /** The receiver of the work. A fair queue lets other messages pass the messages of a slow receiver. */
  group?: string;
}

export interface Queues {
  /** Sends messages. Throws if one was not accepted, while others may have been. */
  send: (queue: QueueName, messages: readonly Message[]) => Promise<void>;
}

export const longestDelayInS = 900;
