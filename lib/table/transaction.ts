import { randomUUID } from 'node:crypto';
import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import {
  type DynamoDBDocumentClient,
  TransactWriteCommand,
  type TransactWriteCommandInput,
} from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { AmbiguousWrite, eachAttempt } from './ambiguous-write.ts';
import type { CapacityBudget } from './capacity.ts';
import { retryConflicts } from './conflicts.ts';
import { unmarshallOptions } from './item.ts';

/** Tells for each part whether its condition failed, with the stored item. */
export type WriteResults = { failed: boolean; item: Record<string, unknown> | undefined }[];

type Outcome = { done: true; writeUnits: number } | { done: false; refused: WriteResults };

interface Options {
  patienceInMs: number;
  capacity?: CapacityBudget | undefined;
  within: { abortSignal?: AbortSignal };
  /** Returns whether a retry of the same transaction would fail again. */
  isInVain?: (error: unknown) => boolean;
}

/**
 * Writes all parts (up to 100) or none. Retries after a lost reply are safe, because they carry one request token until DynamoDB
 * cancels the transaction. Throws `AmbiguousWriteError` if the outcome stays unknown: then callers must not retry.
 */
export async function sendTransaction(
  client: DynamoDBDocumentClient,
  TransactItems: NonNullable<TransactWriteCommandInput['TransactItems']>,
  { patienceInMs, capacity, within, isInVain }: Options,
): Promise<Outcome> {
  const ambiguity = new AmbiguousWrite();
  let token = randomUUID();
  const send = () => {
    const command = new TransactWriteCommand({
      TransactItems,
      ClientRequestToken: token,
      ReturnConsumedCapacity: 'TOTAL',
    });
    command.middlewareStack.add(ambiguity.watch, eachAttempt);
    return ambiguity
      .observe(() => client.send(command, within))
      .catch((error: unknown) => {
        if (error instanceof TransactionCanceledException) {
          token = randomUUID();
          ambiguity.ruleOut();
        }
        throw error;
      });
  };
  try {
    const { ConsumedCapacity = [] } = await retryConflicts(send, { patienceInMs, capacity }, isInVain);
    return { done: true, writeUnits: ConsumedCapacity.reduce((sum, part) => sum + (part.CapacityUnits ?? 0), 0) };
  } catch (error) {
    const reasons = error instanceof TransactionCanceledException ? (error.CancellationReasons ?? []) : [];
    if (!reasons.some(({ Code }) => Code === 'ConditionalCheckFailed')) throw ambiguity.errorFor(error);
    const refused = reasons.map(({ Code, Item }) => ({
      failed: Code === 'ConditionalCheckFailed',
      item: Item && unmarshall(Item, unmarshallOptions),
    }));
    return { done: false, refused };
  }
}
