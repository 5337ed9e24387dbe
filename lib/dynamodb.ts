import { randomInt } from 'node:crypto';
import { ConditionalCheckFailedException, type DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  BatchExecuteStatementCommand,
  BatchGetCommand,
  DeleteCommand,
  type DeleteCommandInput,
  DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  type PutCommandInput,
  QueryCommand,
  ScanCommand,
  TransactGetCommand,
  UpdateCommand,
  type UpdateCommandInput,
} from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import * as v from 'valibot';
import { insertStatement, queryInput, storableIn, transactItem } from './command-input.ts';
import { pause, requestPatienceInMs, unlessConflict } from './conflicts.ts';
import { Doubt, eachAttempt } from './doubt.ts';
import { placesOf } from './schema.ts';
import { type IndexName, type Key, keyOf, keyText, nothingThere, tableShape } from './table.ts';
import type { TimeLimit } from './time-limit.ts';
import { type Refusal, sendTransaction } from './transaction.ts';

/** What a request cost the table: calls made and capacity units consumed. */
export interface Meter {
  calls: number;
  readUnits: number;
  writeUnits: number;
}

export type Attributes = Record<string, unknown>;

export interface Change {
  /** UpdateExpression, with `#name` and `:value` placeholders. */
  set: string;
  /** ConditionExpression; the change is refused when it does not hold. Empty: it always holds. */
  condition: string;
  names: Record<string, string>;
  values: Record<string, unknown>;
}

/** `done` with the item as it now is; else the item as it stands, by which the caller tells why the condition failed. */
export type ChangeOutcome = { done: true; item: Attributes } | { done: false; item: Attributes | undefined };

/** A stored item does not have the shape that the code expects. Names places, never values. */
export class StoredItemError extends Error {}

export function parseStored<S extends v.GenericSchema>(schema: S, item: Attributes): v.InferOutput<S> {
  const result = v.safeParse(schema, item);
  if (result.success) return result.output;
  throw new StoredItemError(`stored item is malformed at ${placesOf(result.issues)}`);
}

/** DynamoDB takes 100 keys a BatchGetItem. */
const batchGetLimit = 100;
/** DynamoDB takes 25 statements a BatchExecuteStatement. */
export const insertManyLimit = 25;
/** What a statement says when its key is taken; the engines do not agree on the word. */
const duplicateCodes: readonly (string | undefined)[] = ['DuplicateItem', 'DuplicateItemException'];
/** Reasons of one statement to fail that pass by themselves. */
const passingCodes: readonly (string | undefined)[] = [
  'ProvisionedThroughputExceeded',
  'RequestLimitExceeded',
  'ThrottlingError',
  'TransactionConflict',
  'InternalServerError',
];
/** With pauses that double from 50 ms on, about six seconds in all. */
const maxRounds = 7;
/** Of the time that is left: an attempt that was begun in it is not cut off in the rest. */
const patientShare = 3 / 4;
/** One part of a transaction. */
export type Write =
  | { key: Key; insert: Attributes }
  | { key: Key; change: Change }
  | { key: Key; remove: Condition }
  | { key: Key; check: Condition };

/** What a request's effect must be written together with, and the error where that part is refused. */
export interface Companion {
  write: Write;
  refusal: (item: Attributes | undefined) => Error;
}

/** A condition without a change. */
export type Condition = Omit<Change, 'set'>;

/** Items of one partition, in the order of their sort key. */
export interface Query {
  /** Global indexes lag behind by a moment; the table and its local index read consistently. */
  index?: IndexName;
  partition: string;
  /** Bounds of the sort key, both included; without either, the whole partition. */
  from?: string | number;
  to?: string | number;
  descending?: boolean;
  /** Only these attributes of the items; what is read costs the same. */
  only?: readonly string[];
  /** At most so many items; without it, all of them, in as many calls as that takes. */
  limit?: number;
  /** At most so many in one call, for a walk that may stop early or holds what it reads. */
  atOnce?: number;
}

/** `done`, or for each part whether its condition held and what is there instead. */
export type TransactionOutcome = { done: true } | { done: false; refused: Refusal };

const unmarshalled = { marshallOptions: { removeUndefinedValues: true } };

export function documentClient(client: DynamoDBClient): DynamoDBDocumentClient {
  return DynamoDBDocumentClient.from(client, unmarshalled);
}

/**
 * One request's view of the table: counts what it costs, reads consistently (a reply shows what was written before
 * it), and does not see items past their `expiresAt`, which TTL removes late.
 */
export class Table {
  readonly meter: Meter = { calls: 0, readUnits: 0, writeUnits: 0 };
  readonly #client: DynamoDBDocumentClient;
  readonly #tableName: string;
  readonly #now: Date;
  readonly #patienceInMs: number;
  readonly #limit: TimeLimit | undefined;
  #companion: Companion | undefined;

  /** Without a limit, a call takes as long as the SDK's attempts do. */
  constructor(
    client: DynamoDBDocumentClient,
    tableName: string,
    now: Date,
    { patienceInMs = requestPatienceInMs, limit }: { patienceInMs?: number | undefined; limit?: TimeLimit } = {},
  ) {
    this.#patienceInMs = patienceInMs;
    this.#limit = limit;
    this.#client = client;
    this.#tableName = tableName;
    this.#now = now;
  }

  /** How long a use case may go on trying what others are in the way of. */
  get patienceInMs(): number {
    return this.#limit ? Math.min(this.#patienceInMs, this.#limit.leftInMs * patientShare) : this.#patienceInMs;
  }

  get #within(): { abortSignal?: AbortSignal } {
    return this.#limit ? { abortSignal: this.#limit.signal } : {};
  }

  #pause(longestInMs: number): Promise<void> {
    return pause(Math.min(randomInt(longestInMs), this.#limit?.leftInMs ?? longestInMs));
  }

  async get<S extends v.GenericSchema>(key: Key, schema: S): Promise<v.InferOutput<S> | undefined> {
    const reply = await this.#client.send(
      new GetCommand({ TableName: this.#tableName, Key: key, ConsistentRead: true, ReturnConsumedCapacity: 'TOTAL' }),
      this.#within,
    );
    this.#countRead(reply.ConsumedCapacity?.CapacityUnits);
    const item = this.#unlessExpired(reply.Item);
    return item && parseStored(schema, item);
  }

  /** The items in the order of the keys, `undefined` for those that are not there. Up to 100 keys make one call. */
  async getMany(wanted: readonly Key[]): Promise<(Attributes | undefined)[]> {
    const found = new Map<string, Attributes>();
    let open = [...new Map(wanted.map((key) => [keyText(key), key])).values()];
    for (let round = 0; open.length > 0; ) {
      const batch = open.slice(0, batchGetLimit);
      const reply = await this.#client.send(
        new BatchGetCommand({
          RequestItems: { [this.#tableName]: { Keys: batch, ConsistentRead: true } },
          ReturnConsumedCapacity: 'TOTAL',
        }),
        this.#within,
      );
      this.#countRead(reply.ConsumedCapacity?.reduce((sum, part) => sum + (part.CapacityUnits ?? 0), 0));
      for (const item of reply.Responses?.[this.#tableName] ?? []) found.set(keyText(keyOf(item)), item);
      const unprocessed = (reply.UnprocessedKeys?.[this.#tableName]?.Keys ?? []).map(keyOf);
      open = [...unprocessed, ...open.slice(batchGetLimit)];
      round = unprocessed.length > 0 ? round + 1 : 0;
      if (round > maxRounds) throw new Error('the table has no capacity for a read');
      if (round > 0) await this.#pause(2 ** round * 25);
    }
    return wanted.map((key) => this.#unlessExpired(found.get(keyText(key))));
  }

  /**
   * The items (up to 100, each once) as they were at one moment: other reads may meet a transaction that shows in some of
   * its items already and not yet in others. Costs twice as much as `getMany`.
   */
  async getAtOnce(wanted: readonly Key[]): Promise<(Attributes | undefined)[]> {
    const items = wanted.map((key) => ({ Get: { TableName: this.#tableName, Key: key } }));
    const input = { TransactItems: items, ReturnConsumedCapacity: 'TOTAL' } as const;
    const reply = await unlessConflict(
      () => this.#client.send(new TransactGetCommand(input), this.#within),
      this.patienceInMs,
    );
    this.#countRead(reply.ConsumedCapacity?.reduce((sum, part) => sum + (part.CapacityUnits ?? 0), 0));
    return wanted.map((_, index) => this.#unlessExpired(reply.Responses?.[index]?.Item));
  }

  /** `false` when there is an item under the key already; that item is left as it is. */
  async insert(key: Key, item: Attributes): Promise<boolean> {
    const input: PutCommandInput = {
      TableName: this.#tableName,
      Item: storableIn({ ...item, ...key }),
      ConditionExpression: nothingThere,
      ReturnConsumedCapacity: 'TOTAL',
    };
    const outcome = await this.#conditionally((doubt) => {
      const command = new PutCommand(input);
      command.middlewareStack.add(doubt.watch, eachAttempt);
      return this.#client.send(command, this.#within);
    });
    if (outcome.done) this.#countWrite(outcome.reply.ConsumedCapacity?.CapacityUnits);
    else this.#countWrite();
    return outcome.done;
  }

  /**
   * Inserts up to 25 items in one call, one write unit a KB each; the answers tell of each whether it is new. An item
   * that is there already is left as it is. What DynamoDB had no capacity for is tried again, later each time.
   */
  async insertMany(items: readonly { key: Key; item: Attributes }[]): Promise<boolean[]> {
    const inserted = items.map(() => false);
    let open = items.map((_, index) => index);
    for (let round = 0; open.length > 0; round++) {
      if (round > 0) await this.#pause(2 ** round * 25);
      const reply = await this.#client.send(
        new BatchExecuteStatementCommand({
          Statements: open
            .flatMap((index) => items.slice(index, index + 1))
            .map(({ key, item }) => insertStatement(this.#tableName, { ...item, ...key })),
          ReturnConsumedCapacity: 'TOTAL',
        }),
        this.#within,
      );
      this.#countWrite(reply.ConsumedCapacity?.reduce((sum, part) => sum + (part.CapacityUnits ?? 0), 0));
      const again: number[] = [];
      for (const [position, { Error: failure }] of (reply.Responses ?? []).entries()) {
        const index = open[position] ?? 0;
        if (failure === undefined) inserted[index] = true;
        else if (passingCodes.includes(failure.Code) && round < maxRounds) again.push(index);
        else if (!duplicateCodes.includes(failure.Code)) throw new Error(`insert refused: ${failure.Code}`);
      }
      open = again;
    }
    return inserted;
  }

  async change(key: Key, { set, condition, names, values }: Change): Promise<ChangeOutcome> {
    const input: UpdateCommandInput = {
      TableName: this.#tableName,
      Key: key,
      UpdateExpression: set,
      ...(condition ? { ConditionExpression: condition } : {}),
      ExpressionAttributeNames: names,
      ...(Object.keys(values).length > 0 ? { ExpressionAttributeValues: storableIn(values) } : {}),
      ReturnValues: 'ALL_NEW',
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      ReturnConsumedCapacity: 'TOTAL',
    };
    const outcome = await this.#conditionally((doubt) => {
      const command = new UpdateCommand(input);
      command.middlewareStack.add(doubt.watch, eachAttempt);
      return this.#client.send(command, this.#within);
    });
    if (!outcome.done) {
      this.#countWrite();
      return { done: false, item: outcome.item };
    }
    this.#countWrite(outcome.reply.ConsumedCapacity?.CapacityUnits);
    return { done: true, item: outcome.reply.Attributes ?? {} };
  }

  /** All parts or none (up to 100), once (`sendTransaction`). */
  async transact(writes: readonly Write[]): Promise<TransactionOutcome> {
    const items = writes.map((write) => transactItem(this.#tableName, write));
    const options = { patienceInMs: this.patienceInMs, within: this.#within };
    const outcome = await sendTransaction(this.#client, items, options);
    this.#countWrite(outcome.done ? outcome.writeUnits : 0);
    return outcome.done ? { done: true } : outcome;
  }

  /** From now on what was kept back of the request's time may be used, for what later requests must learn of it. */
  openReserve(): void {
    this.#limit?.openReserve();
  }

  /** From now on what is committed is committed together with this. */
  commitWith(companion: Companion): void {
    this.#companion = companion;
  }

  /**
   * The one transaction that is what the request does, up to 99 parts: where doing it twice would count twice. It and the record
   * of a caller's idempotency key are all or none.
   */
  async commit(writes: readonly Write[]): Promise<TransactionOutcome> {
    const companion = this.#companion;
    if (!companion) return this.transact(writes);
    const outcome = await this.transact([...writes, companion.write]);
    if (outcome.done) return outcome;
    const own = outcome.refused.at(-1);
    if (own?.failed) throw companion.refusal(own.item);
    return { done: false, refused: outcome.refused.slice(0, -1) };
  }

  /**
   * `false` when there is no item under the key for which the condition holds. An item that is gone after an attempt whose
   * reply was lost counts as removed by that one.
   */
  async remove(key: Key, { condition, names, values }: Condition): Promise<boolean> {
    const input: DeleteCommandInput = {
      TableName: this.#tableName,
      Key: key,
      ConditionExpression: condition,
      ExpressionAttributeNames: names,
      ExpressionAttributeValues: values,
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      ReturnConsumedCapacity: 'TOTAL',
    };
    const outcome = await this.#conditionally((doubt) => {
      const command = new DeleteCommand(input);
      command.middlewareStack.add(doubt.watch, eachAttempt);
      return this.#client.send(command, this.#within);
    });
    this.#countWrite(outcome.done ? outcome.reply.ConsumedCapacity?.CapacityUnits : 0);
    return outcome.done || (outcome.inDoubt && outcome.item === undefined);
  }

  /** The items that the query asks for. */
  async query(query: Query): Promise<Attributes[]> {
    const items: Attributes[] = [];
    for await (const page of this.pages(query)) items.push(...page);
    return items;
  }

  /** The same by what one call reads (up to `atOnce` or 1 MB), so that a walk holds no more than one page. */
  async *pages(query: Query): AsyncGenerator<Attributes[]> {
    let open = query.limit ?? Number.POSITIVE_INFINITY;
    let start: Attributes | undefined;
    do {
      const input = queryInput(this.#tableName, query, { open, start });
      const reply = await this.#client.send(new QueryCommand(input), this.#within);
      this.#countRead(reply.ConsumedCapacity?.CapacityUnits);
      const found = (reply.Items ?? []).filter((item) => this.#unlessExpired(item) !== undefined);
      open -= found.length;
      start = reply.LastEvaluatedKey;
      if (found.length > 0) yield found;
    } while (start && open > 0);
  }

  /** Every item whose partition key begins so, by what DynamoDB reads in one call. It reads the whole table for it. */
  async *scan({ partitionPrefix }: { partitionPrefix: string }): AsyncGenerator<Attributes[]> {
    let start: Attributes | undefined;
    do {
      const reply = await this.#client.send(
        new ScanCommand({
          TableName: this.#tableName,
          ConsistentRead: true,
          FilterExpression: 'begins_with(#partition, :prefix)',
          ExpressionAttributeNames: { '#partition': tableShape.partitionKey },
          ExpressionAttributeValues: { ':prefix': partitionPrefix },
          ...(start ? { ExclusiveStartKey: start } : {}),
          ReturnConsumedCapacity: 'TOTAL',
        }),
        this.#within,
      );
      this.#countRead(reply.ConsumedCapacity?.CapacityUnits);
      start = reply.LastEvaluatedKey;
      const found = (reply.Items ?? []).filter((item) => this.#unlessExpired(item) !== undefined);
      if (found.length > 0) yield found;
    } while (start);
  }

  async #conditionally<R>(
    send: (doubt: Doubt) => Promise<R>,
  ): Promise<{ done: true; reply: R } | { done: false; item?: Attributes; inDoubt: boolean }> {
    const doubt = new Doubt();
    try {
      return { done: true, reply: await unlessConflict(() => doubt.over(() => send(doubt)), this.patienceInMs) };
    } catch (error) {
      if (!(error instanceof ConditionalCheckFailedException)) throw doubt.told(error);
      const refused = { done: false, inDoubt: doubt.isLeft } as const;
      return error.Item ? { ...refused, item: unmarshall(error.Item) } : refused;
    }
  }

  #unlessExpired(item: Attributes | undefined): Attributes | undefined {
    const expiresAt = item?.[tableShape.timeToLive];
    return typeof expiresAt === 'number' && expiresAt * 1000 <= this.#now.getTime() ? undefined : item;
  }

  #countRead(units = 0): void {
    this.meter.calls += 1;
    this.meter.readUnits += units;
  }

  #countWrite(units = 0): void {
    this.meter.calls += 1;
    this.meter.writeUnits += units;
  }
}
