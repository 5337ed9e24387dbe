import type { Key } from '../../table/keys.ts';

/** A queue for each class of work, so that what is slow in one delays no other. */
export const queueNames = ['generation', 'bulk', 'mail', 'segments', 'exports'] as const;

export type QueueName = (typeof queueNames)[number];

export type QueueUrls = Readonly<Record<QueueName, string>>;

/** The environment variable with the queue's address. */
export function queueVariable<N extends QueueName>(name: N): `${Uppercase<N>}_QUEUE_URL`;
export function queueVariable(name: string): string {
  return `${name.toUpperCase()}_QUEUE_URL`;
}

/** Names the item that says what is to be done. */
export interface Message {
  key: Key;
  /** At most 900, as SQS allows. */
  delayInS?: number;
}

export interface Queues {
  /** Throws where a message was not taken; others may have been. */
  send: (queue: QueueName, messages: readonly Message[]) => Promise<void>;
}

export const longestDelayInS = 900;
