import { randomUUID } from 'node:crypto';
import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import {
  type DynamoDBDocumentClient,
  TransactWriteCommand,
  type TransactWriteCommandInput,
} from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { unlessConflict } from './conflicts.ts';
import { Doubt, eachAttempt } from './doubt.ts';

/** For each part, whether its condition failed and what is there instead. */
export type Refusal = { failed: boolean; item: Record<string, unknown> | undefined }[];

type Outcome = { done: true; writeUnits: number } | { done: false; refused: Refusal };

interface Options {
  patienceInMs: number;
  within: { abortSignal?: AbortSignal };
}

/**
 * All parts or none (up to 100). Repeating the call after a lost reply is safe, for it bears one request token until it is
 * known to have been cancelled: what the table is still at is waited for, not done once more. Where it stays unknown whether
 * it was done, that is an `InDoubtError`, after which nothing may be tried as if it had not been.
 */
export async function sendTransaction(
  client: DynamoDBDocumentClient,
  TransactItems: NonNullable<TransactWriteCommandInput['TransactItems']>,
  { patienceInMs, within }: Options,
): Promise<Outcome> {
  const doubt = new Doubt();
  let token = randomUUID();
  const send = () => {
    const command = new TransactWriteCommand({
      TransactItems,
      ClientRequestToken: token,
      ReturnConsumedCapacity: 'TOTAL',
    });
    command.middlewareStack.add(doubt.watch, eachAttempt);
    return doubt
      .over(() => client.send(command, within))
      .catch((error: unknown) => {
        if (error instanceof TransactionCanceledException) {
          token = randomUUID();
          doubt.settle();
        }
        throw error;
      });
  };
  try {
    const { ConsumedCapacity = [] } = await unlessConflict(send, patienceInMs);
    return { done: true, writeUnits: ConsumedCapacity.reduce((sum, part) => sum + (part.CapacityUnits ?? 0), 0) };
  } catch (error) {
    const reasons = error instanceof TransactionCanceledException ? (error.CancellationReasons ?? []) : [];
    if (!reasons.some(({ Code }) => Code === 'ConditionalCheckFailed')) throw doubt.told(error);
    const refused = reasons.map(({ Code, Item }) => ({
      failed: Code === 'ConditionalCheckFailed',
      item: Item && unmarshall(Item),
    }));
    return { done: false, refused };
  }
}
