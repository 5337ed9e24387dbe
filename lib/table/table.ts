import { randomInt } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
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
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import type * as v from 'valibot';
import { AmbiguousWrite, eachAttempt } from './ambiguous-write.ts';
import type {
  Change,
  ChangeOutcome,
  Companion,
  Condition,
  Insertion,
  Query,
  TransactionOutcome,
  Write,
} from './command.ts';
import { insertStatement, queryInput, storableIn, transactItem } from './command-input.ts';
import {
  conflictShare,
  isTransient,
  NoCapacityError,
  pause,
  requestPatienceInMs,
  unlessConflict,
} from './conflicts.ts';
import { type Attributes, parseStored } from './item.ts';
import { bare, type Key, keyOf, keyText, nothingThere, tableShape } from './keys.ts';
import type { TimeLimit } from './time-limit.ts';
import { sendTransaction } from './transaction.ts';

/** What a request cost the table: calls made and capacity units consumed. */
export interface Meter {
  calls: number;
  readUnits: number;
  writeUnits: number;
}

/** DynamoDB takes 100 keys a BatchGetItem. */
const batchGetLimit = 100;
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
const unmarshalled = { marshallOptions: { removeUndefinedValues: true } };

/** A tombstone (`lib/deletion`) is read as nothing. */
function unlessDeleted(item: Attributes | undefined): Attributes | undefined {
  return item?.deleted_at === undefined ? item : undefined;
}

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

  /** Which table it is, and for which container: what that has kept of one must not pass for another's. */
  get name(): string {
    return this.#tableName;
  }

  get container(): object {
    return this.#client;
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
      new GetCommand({
        TableName: this.#tableName,
        Key: bare(key),
        ConsistentRead: true,
        ReturnConsumedCapacity: 'TOTAL',
      }),
      this.#within,
    );
    this.#countRead(reply.ConsumedCapacity?.CapacityUnits);
    const item = unlessDeleted(this.#unlessExpired(reply.Item));
    return item && parseStored(schema, item);
  }

  /**
   * The items in the order of the keys, `undefined` for those that are not there, or deleted. Up to 100 keys make one call. What the table
   * has no capacity for is asked for again, later each time, within a part of the request's patience.
   */
  async getMany(
    wanted: readonly Key[],
    { deletedToo = false }: { deletedToo?: boolean } = {},
  ): Promise<(Attributes | undefined)[]> {
    const found = new Map<string, Attributes>();
    let open = [...new Map(wanted.map((key) => [keyText(key), bare(key)])).values()];
    const deadline = performance.now() + this.patienceInMs * conflictShare;
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
      if (round > 0 && performance.now() > deadline) throw new NoCapacityError('the table has no capacity for a read');
      if (round > 0) await this.#pause(2 ** round * 25);
    }
    return wanted.map((key) => {
      const item = this.#unlessExpired(found.get(keyText(key)));
      return deletedToo ? item : unlessDeleted(item);
    });
  }

  /**
   * The items (up to 100, each once) as they were at one moment: other reads may meet a transaction that shows in some of
   * its items already and not yet in others. Costs twice as much as `getMany`.
   */
  async getAtOnce(wanted: readonly Key[]): Promise<(Attributes | undefined)[]> {
    const items = wanted.map((key) => ({ Get: { TableName: this.#tableName, Key: bare(key) } }));
    const input = { TransactItems: items, ReturnConsumedCapacity: 'TOTAL' } as const;
    const reply = await unlessConflict(
      () => this.#client.send(new TransactGetCommand(input), this.#within),
      this.patienceInMs,
    );
    this.#countRead(reply.ConsumedCapacity?.reduce((sum, part) => sum + (part.CapacityUnits ?? 0), 0));
    return wanted.map((_, index) => unlessDeleted(this.#unlessExpired(reply.Responses?.[index]?.Item)));
  }

  /** `false` when there is an item under the key already; that item is left as it is. */
  async insert(key: Key, item: Attributes): Promise<boolean> {
    return (await this.#put(key, item)).done;
  }

  async #put(key: Key, item: Attributes): Promise<TransactionOutcome> {
    const Item = storableIn({ ...item, ...bare(key) });
    const input: PutCommandInput = {
      TableName: this.#tableName,
      Item,
      ConditionExpression: nothingThere,
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      ReturnConsumedCapacity: 'TOTAL',
    };
    const outcome = await this.#conditionally((ambiguity) => {
      const command = new PutCommand(input);
      command.middlewareStack.add(ambiguity.watch, eachAttempt);
      return this.#client.send(command, this.#within);
    });
    this.#countWrite(outcome.done ? outcome.reply.ConsumedCapacity?.CapacityUnits : 0);
    if (outcome.done) return { done: true };
    // An attempt of ours whose reply was lost has put what is there.
    const isOurs =
      outcome.ambiguous && isDeepStrictEqual(outcome.item, unmarshall(marshall(Item, { removeUndefinedValues: true })));
    return isOurs ? { done: true } : { done: false, refused: [{ failed: true, item: outcome.item }] };
  }

  /**
   * Inserts up to 25 items in one call, one write unit a KB each; the answers tell of each whether it is new. An item
   * that is there already is left as it is. What DynamoDB had no capacity for is tried again, later each time.
   */
  async insertMany(items: readonly Insertion[]): Promise<boolean[]> {
    const inserted = items.map(() => false);
    let open = items.map((_, index) => index);
    for (let round = 0; open.length > 0; round++) {
      if (round > maxRounds) throw new NoCapacityError('the table has no capacity for an insert');
      if (round > 0) await this.#pause(2 ** round * 25);
      const answers = await this.insertOnce(open.flatMap((index) => items.slice(index, index + 1)));
      for (const [position, index] of open.entries()) inserted[index] = answers[position] === 'new';
      open = open.filter((_, position) => answers[position] === 'busy');
    }
    return inserted;
  }

  /** The same in one attempt: `busy` is what DynamoDB had no capacity for. */
  async insertOnce(items: readonly Insertion[]): Promise<('new' | 'there' | 'busy')[]> {
    const command = new BatchExecuteStatementCommand({
      Statements: items.map(({ key, item }) => insertStatement(this.#tableName, { ...item, ...bare(key) })),
      ReturnConsumedCapacity: 'TOTAL',
    });
    const reply = await this.#client.send(command, this.#within).catch((error: unknown) => {
      if (isTransient(error)) return undefined;
      throw error;
    });
    if (!reply) return items.map(() => 'busy');
    this.#countWrite(reply.ConsumedCapacity?.reduce((sum, part) => sum + (part.CapacityUnits ?? 0), 0));
    return (reply.Responses ?? []).map(({ Error: failure }) => {
      if (failure === undefined) return 'new';
      if (passingCodes.includes(failure.Code)) return 'busy';
      if (duplicateCodes.includes(failure.Code)) return 'there';
      throw new Error(`insert refused: ${failure.Code}`);
    });
  }

  async change(key: Key, { set, condition, names, values }: Change): Promise<ChangeOutcome> {
    const input: UpdateCommandInput = {
      TableName: this.#tableName,
      Key: bare(key),
      UpdateExpression: set,
      ...(condition ? { ConditionExpression: condition } : {}),
      ExpressionAttributeNames: names,
      ...(Object.keys(values).length > 0 ? { ExpressionAttributeValues: storableIn(values) } : {}),
      ReturnValues: 'ALL_NEW',
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      ReturnConsumedCapacity: 'TOTAL',
    };
    const outcome = await this.#conditionally((ambiguity) => {
      const command = new UpdateCommand(input);
      command.middlewareStack.add(ambiguity.watch, eachAttempt);
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
   * of a caller's idempotency key are all or none. An insert by itself is a put, for half of a transaction's units; a change by
   * itself stays one, whose token lets the SDK repeat it when a reply is lost.
   */
  async commit(writes: readonly Write[]): Promise<TransactionOutcome> {
    const companion = this.#companion;
    const [only, ...others] = writes;
    if (!companion && only && others.length === 0 && 'insert' in only) return this.#put(only.key, only.insert);
    if (!companion) return this.transact(writes);
    const outcome = await this.transact([...writes, companion.write]);
    if (outcome.done) companion.committed?.();
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
      Key: bare(key),
      ConditionExpression: condition,
      ExpressionAttributeNames: names,
      ExpressionAttributeValues: values,
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      ReturnConsumedCapacity: 'TOTAL',
    };
    const outcome = await this.#conditionally((ambiguity) => {
      const command = new DeleteCommand(input);
      command.middlewareStack.add(ambiguity.watch, eachAttempt);
      return this.#client.send(command, this.#within);
    });
    this.#countWrite(outcome.done ? outcome.reply.ConsumedCapacity?.CapacityUnits : 0);
    return outcome.done || (outcome.ambiguous && outcome.item === undefined);
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
    send: (ambiguity: AmbiguousWrite) => Promise<R>,
  ): Promise<{ done: true; reply: R } | { done: false; item?: Attributes; ambiguous: boolean }> {
    const ambiguity = new AmbiguousWrite();
    try {
      return {
        done: true,
        reply: await unlessConflict(() => ambiguity.observe(() => send(ambiguity)), this.patienceInMs),
      };
    } catch (error) {
      if (!(error instanceof ConditionalCheckFailedException)) throw ambiguity.errorFor(error);
      const refused = { done: false, ambiguous: ambiguity.isPossible } as const;
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
