import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { type Command, clientWith } from './client.ts';

interface Waiting {
  readonly name: string;
  /** Sends the call. The returned function gives the reply to the caller. */
  readonly send: () => Promise<() => void>;
}

/**
 * Makes a client that sends calls in rounds. Calls that begin while no round is open are sent and answered together. A
 * round therefore contains the calls that waited for the previous round, at any speed.
 */
export function clientInRounds(real: DynamoDBDocumentClient): {
  dynamodb: DynamoDBDocumentClient;
  /** Returns the command names of each round since the last call. */
  taken: () => string[][];
} {
  let rounds: string[][] = [];
  let waiting: Waiting[] = [];
  let isUnderWay = false;

  async function takeRounds(): Promise<void> {
    if (isUnderWay) return;
    isUnderWay = true;
    while (waiting.length > 0) {
      const round = waiting;
      waiting = [];
      rounds.push(round.map(({ name }) => name));
      const replies = await Promise.all(round.map(({ send }) => send()));
      for (const reply of replies) reply();
      // All code that continues after these replies runs before the next round begins.
      await new Promise((resolve) => setImmediate(resolve));
    }
    isUnderWay = false;
  }

  const dynamodb = clientWith(
    real,
    ({ constructor: { name } }: Command, sendReal) =>
      new Promise((resolve, reject) => {
        const send = () =>
          sendReal().then(
            (reply) => () => resolve(reply),
            (error: unknown) => () => reject(error),
          );
        waiting.push({ name: name.replace(/Command$/, ''), send });
        setImmediate(takeRounds);
      }),
  );
  return {
    dynamodb,
    taken: () => {
      const told = rounds;
      rounds = [];
      return told;
    },
  };
}
