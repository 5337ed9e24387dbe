import { randomUUID } from 'node:crypto';
import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import {
  type DynamoDBDocumentClient,
  TransactWriteCommand,
  type TransactWriteCommandInput,
} from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { AmbiguousWrite, eachAttempt, type LateOutcome } from './ambiguous-write.ts';
import type { CapacityBudget } from './capacity.ts';
import { isTransient, retryConflicts, unanswered } from './conflicts.ts';
import { unmarshallOptions } from './item.ts';

/** Lists for each part whether its condition failed, with the stored item. */
export type WriteResults = { failed: boolean; item: Record<string, unknown> | undefined }[];

type Outcome =
  | { done: true; writeUnits: number }
  /** `isOpen`: an attempt has no answer, and nothing but the conditions keeps it from being carried out. */
  | { done: false; refused: WriteResults; isOpen: boolean };

interface Options {
  patienceInMs: number;
  capacity?: CapacityBudget | undefined;
  within: { abortSignal?: AbortSignal };
  /** Returns whether a retry of the same transaction would fail again. */
  isInVain?: (error: unknown) => boolean;
  /** Finds the outcome of an attempt without an answer. */
  findOutcome: () => Promise<LateOutcome>;
}

function readRefusal(error: unknown): WriteResults | undefined {
  const reasons = error instanceof TransactionCanceledException ? (error.CancellationReasons ?? []) : [];
  if (!reasons.some(({ Code }) => Code === 'ConditionalCheckFailed')) return undefined;
  return reasons.map(({ Code, Item }) => ({
    failed: Code === 'ConditionalCheckFailed',
    item: Item && unmarshall(Item, unmarshallOptions),
  }));
}

/**
 * Writes all parts (up to 100) or none. Attempts keep their request token while any of them has no answer, because that
 * attempt may still be carried out. If the repetition ends otherwise, the first attempt's own record shows the outcome.
 * Throws `AmbiguousWriteError` if the outcome stays unknown: in this case callers must not retry.
 */
export async function sendTransaction(
  client: DynamoDBDocumentClient,
  TransactItems: NonNullable<TransactWriteCommandInput['TransactItems']>,
  { patienceInMs, capacity, within, isInVain, findOutcome }: Options,
): Promise<Outcome> {
  const ambiguity = new AmbiguousWrite(within);
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
        if (error instanceof TransactionCanceledException && !ambiguity.isPossible) token = randomUUID();
        throw error;
      });
  };
  try {
    // After an attempt without an answer only the same token is safe to send.
    const mayEnd = (error: unknown) => !ambiguity.isPossible && (isInVain?.(error) ?? false);
    const { ConsumedCapacity = [] } = await retryConflicts(send, { patienceInMs, capacity }, mayEnd);
    return { done: true, writeUnits: ConsumedCapacity.reduce((sum, part) => sum + (part.CapacityUnits ?? 0), 0) };
  } catch (error) {
    const refused = readRefusal(error);
    if (!ambiguity.isPossible) {
      if (refused) return { done: false, refused, isOpen: false };
      throw error;
    }
    const finding = await findOutcome().catch(() => {
      throw unanswered(error);
    });
    if (finding === 'committed') return { done: true, writeUnits: 0 };
    if (refused) return { done: false, refused, isOpen: finding === 'open' };
    throw finding === 'never' && isTransient(error) ? error : unanswered(error);
  }
}
