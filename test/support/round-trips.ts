import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { type Command, clientWith } from './client.ts';

interface Waiting {
  readonly name: string;
  /** Sends it; what is done gives the caller its reply. */
  readonly send: () => Promise<() => void>;
}

/**
 * A client whose calls go in rounds: those that are begun while none is under way go together and are answered together. So a round is
 * what waits for the one before, however fast either is.
 */
export function clientInRounds(real: DynamoDBDocumentClient): {
  dynamodb: DynamoDBDocumentClient;
  /** The names of the commands of each round since it was last asked. */
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
      // All that goes on by these replies has its turn before the next round begins.
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
