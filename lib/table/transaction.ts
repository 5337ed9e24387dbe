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
import { unlessConflict } from './conflicts.ts';
import { unmarshallOptions } from './item.ts';

/** For each part, whether its condition failed, and the item that is there instead. */
export type Refusal = { failed: boolean; item: Record<string, unknown> | undefined }[];

type Outcome = { done: true; writeUnits: number } | { done: false; refused: Refusal };

interface Options {
  patienceInMs: number;
  capacity?: CapacityBudget | undefined;
  within: { abortSignal?: AbortSignal };
  /** Whether the same transaction would be sent again in vain. */
  isInVain?: (error: unknown) => boolean;
}

/**
 * All parts or none (up to 100). Repeats after a lost reply are safe: they carry one request token until the transaction is known
 * to have been cancelled. If the outcome stays unknown it throws `AmbiguousWriteError`, and nothing may be retried.
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
    const { ConsumedCapacity = [] } = await unlessConflict(send, { patienceInMs, capacity }, isInVain);
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
