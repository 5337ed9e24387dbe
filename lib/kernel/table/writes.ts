import { isDeepStrictEqual } from 'node:util';
import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import {
  BatchExecuteStatementCommand,
  DeleteCommand,
  type DeleteCommandInput,
  PutCommand,
  type PutCommandInput,
  UpdateCommand,
  type UpdateCommandInput,
} from '@aws-sdk/lib-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import { AmbiguousWrite, eachAttempt } from './ambiguous-write.ts';
import {
  type Change,
  type ChangeOutcome,
  type Condition,
  type Insertion,
  type TransactionOutcome,
  whenNotThere,
} from './command.ts';
import { buildCondition, buildInsert, prepareValues } from './command-input.ts';
import { isTransient, NoCapacityError, retryConflicts } from './conflicts.ts';
import type { Connection } from './connection.ts';
import { type Attributes, unmarshallOptions } from './item.ts';
import { hasDrawnKey, type Key, stripKey } from './keys.ts';
import { hasLapsed, whenStillBuried } from './tombstone.ts';

/** Conditional writes of single items for `Table`, which documents each of them. */

/** Errors of a statement whose key is in use. The engines name them differently. */
const duplicateCodes: readonly (string | undefined)[] = ['DuplicateItem', 'DuplicateItemException'];
/** Transient errors of a statement. */
const passingCodes: readonly (string | undefined)[] = [
  'ProvisionedThroughputExceeded',
  'RequestLimitExceeded',
  'ThrottlingError',
  'TransactionConflict',
  'InternalServerError',
];
/** The pauses double from 50 ms on, about six seconds in total. */
const maxRounds = 7;

/** The stored item shows why the condition failed. */
type ReplaceOutcome = { done: true } | { done: false; item: Attributes | undefined };

/** Inserts an item. A tombstone that an insert may replace does not prevent this. */
export async function putStored(connection: Connection, key: Key, item: Attributes): Promise<TransactionOutcome> {
  const sent = prepareValues({ ...item, ...stripKey(key) });
  const stored = () => unmarshall(marshall(sent, { removeUndefinedValues: true }), unmarshallOptions);
  let when = whenNotThere;
  for (;;) {
    const outcome = await put(connection, sent, when);
    if (outcome.done) return { done: true };
    // An earlier attempt with a lost reply has put the item, which others may have changed or removed since.
    const isOurs = () => isOwnRecord(key, item, outcome.item) || isDeepStrictEqual(outcome.item, stored());
    if (outcome.ambiguous && isOurs()) return { done: true };
    const replacing = outcome.ambiguous ? undefined : whenStillBuried(outcome.item);
    if (!replacing) return { done: false, refused: [{ failed: true, item: outcome.item }] };
    when = replacing;
  }
}

/** Returns whether an attempt's own record is stored, or was until it was removed. */
function isOwnRecord(key: Key, sent: Attributes, found: Attributes | undefined): boolean {
  return hasDrawnKey(key, sent) && found !== undefined && !hasLapsed(found);
}

/** Replaces another item that meets the condition with an item. */
export async function replaceStored(
  connection: Connection,
  key: Key,
  item: Attributes,
  when: Condition,
): Promise<ReplaceOutcome> {
  const outcome = await put(connection, prepareValues({ ...item, ...stripKey(key) }), when);
  if (outcome.done) return { done: true };
  const isOurs = outcome.ambiguous && outcome.item?.fence !== undefined && outcome.item.fence === item.fence;
  return isOurs ? { done: true } : { done: false, item: outcome.item };
}

async function put(connection: Connection, Item: Attributes, when: Condition) {
  const input: PutCommandInput = {
    TableName: connection.tableName,
    Item,
    ...buildCondition(when),
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    ReturnConsumedCapacity: 'TOTAL',
  };
  const outcome = await conditionally(connection, (ambiguity) => {
    const command = new PutCommand(input);
    command.middlewareStack.add(ambiguity.watch, eachAttempt);
    return connection.client.send(command, connection.within);
  });
  connection.countWrite(outcome.done ? outcome.reply.ConsumedCapacity?.CapacityUnits : 0);
  return outcome;
}

export async function insertMany(connection: Connection, items: readonly Insertion[]): Promise<boolean[]> {
  const inserted = items.map(() => false);
  let open = items.map((_, index) => index);
  for (let round = 0; open.length > 0; round++) {
    const pauseInMs = round === 0 ? 0 : 2 ** round * 25;
    const mayWait = round === 0 || connection.capacity === undefined || connection.capacity.spend(pauseInMs);
    if (round > maxRounds || !mayWait) throw new NoCapacityError('the table has no capacity for an insert');
    if (round > 0) await connection.pause(pauseInMs);
    const answers = await insertOnce(
      connection,
      open.flatMap((index) => items.slice(index, index + 1)),
    );
    for (const [position, index] of open.entries()) inserted[index] = answers[position] === 'new';
    open = open.filter((_, position) => answers[position] === 'busy');
  }
  return inserted;
}

export async function insertOnce(
  connection: Connection,
  items: readonly Insertion[],
): Promise<('new' | 'there' | 'busy')[]> {
  const command = new BatchExecuteStatementCommand({
    Statements: items.map(({ key, item }) => buildInsert(connection.tableName, { ...item, ...stripKey(key) })),
    ReturnConsumedCapacity: 'TOTAL',
  });
  const reply = await connection.client.send(command, connection.within).catch((error: unknown) => {
    if (isTransient(error)) return undefined;
    throw error;
  });
  if (!reply) return items.map(() => 'busy');
  connection.countWrite(reply.ConsumedCapacity?.reduce((sum, part) => sum + (part.CapacityUnits ?? 0), 0));
  return (reply.Responses ?? []).map(({ Error: failure }) => {
    if (failure === undefined) return 'new';
    if (passingCodes.includes(failure.Code)) return 'busy';
    if (duplicateCodes.includes(failure.Code)) return 'there';
    throw new Error(`insert refused: ${failure.Code}`);
  });
}

export async function changeStored(
  connection: Connection,
  key: Key,
  { set, condition, names, values }: Change,
): Promise<ChangeOutcome> {
  const input: UpdateCommandInput = {
    TableName: connection.tableName,
    Key: stripKey(key),
    UpdateExpression: set,
    ...(condition ? { ConditionExpression: condition } : {}),
    ExpressionAttributeNames: names,
    ...(Object.keys(values).length > 0 ? { ExpressionAttributeValues: prepareValues(values) } : {}),
    ReturnValues: 'ALL_NEW',
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    ReturnConsumedCapacity: 'TOTAL',
  };
  const outcome = await conditionally(connection, (ambiguity) => {
    const command = new UpdateCommand(input);
    command.middlewareStack.add(ambiguity.watch, eachAttempt);
    return connection.client.send(command, connection.within);
  });
  if (!outcome.done) {
    connection.countWrite();
    return { done: false, item: outcome.item };
  }
  connection.countWrite(outcome.reply.ConsumedCapacity?.CapacityUnits);
  return { done: true, item: outcome.reply.Attributes ?? {} };
}

export async function removeStored(
  connection: Connection,
  key: Key,
  { condition, names, values }: Condition,
): Promise<boolean> {
  const input: DeleteCommandInput = {
    TableName: connection.tableName,
    Key: stripKey(key),
    ConditionExpression: condition,
    ExpressionAttributeNames: names,
    ...(Object.keys(values).length > 0 ? { ExpressionAttributeValues: values } : {}),
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    ReturnConsumedCapacity: 'TOTAL',
  };
  const outcome = await conditionally(connection, (ambiguity) => {
    const command = new DeleteCommand(input);
    command.middlewareStack.add(ambiguity.watch, eachAttempt);
    return connection.client.send(command, connection.within);
  });
  connection.countWrite(outcome.done ? outcome.reply.ConsumedCapacity?.CapacityUnits : 0);
  return outcome.done || (outcome.ambiguous && outcome.item === undefined);
}

async function conditionally<R>(
  connection: Connection,
  send: (ambiguity: AmbiguousWrite) => Promise<R>,
): Promise<{ done: true; reply: R } | { done: false; item?: Attributes; ambiguous: boolean }> {
  const ambiguity = new AmbiguousWrite(connection.within);
  try {
    return {
      done: true,
      reply: await retryConflicts(() => ambiguity.observe(() => send(ambiguity)), connection),
    };
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw ambiguity.errorFor(error);
    const refused = { done: false, ambiguous: ambiguity.isPossible } as const;
    return error.Item ? { ...refused, item: unmarshall(error.Item, unmarshallOptions) } : refused;
  }
}
