import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type * as v from 'valibot';
import type { CapacityBudget } from './capacity.ts';
import {
  type Change,
  type ChangeOutcome,
  type Companion,
  type Condition,
  type Insertion,
  type Query,
  type ScanPage,
  type TransactionOutcome,
  type Write,
  whenAnyThere,
} from './command.ts';
import { buildTransactItem } from './command-input.ts';
import { Connection, type ConnectionOptions, type Meter } from './connection.ts';
import { checkRenewed } from './families.ts';
import type { Attributes } from './item.ts';
import type { Key } from './keys.ts';
import { type ManyOptions, readAtOnce, readItem, readMany, readPages, scanItems, scanPage } from './reads.ts';
import { replaceBuried } from './tombstone.ts';
import { sendTransaction } from './transaction.ts';
import { Turns } from './turns.ts';
import { findOutcome } from './unanswered.ts';
import { changeStored, insertMany, insertOnce, putStored, removeStored } from './writes.ts';
import { WrittenItems } from './written-items.ts';

/**
 * Gives one request access to the table. Counts the costs, reads consistently, so that a reply shows all earlier writes, and hides
 * items past their `expiresAt`, which TTL removes late.
 */
export class Table {
  readonly #connection: Connection;
  #companion: Companion | undefined;
  #hasOpenAttempt = false;
  readonly written = new WrittenItems();
  /** Limits and queues repeated attempts. */
  readonly turns: Turns;

  /** Without a limit a call lasts as long as the SDK's attempts. */
  constructor(client: DynamoDBDocumentClient, tableName: string, now: Date, options: ConnectionOptions = {}) {
    this.#connection = new Connection(client, tableName, now, options);
    this.turns = new Turns(this.#connection);
  }

  get meter(): Meter {
    return this.#connection.meter;
  }

  /** Identifies the container and the table, because a container keeps values of several tables apart. */
  get name(): string {
    return this.#connection.tableName;
  }

  get container(): object {
    return this.#connection.client;
  }

  /** Limits the time that a use case retries conflicts. */
  get patienceInMs(): number {
    return this.#connection.patienceInMs;
  }

  get capacity(): CapacityBudget | undefined {
    return this.#connection.capacity;
  }

  /** Returns whether a refused transaction had an attempt without an answer, which its conditions alone keep from being carried out. */
  get hasOpenAttempt(): boolean {
    return this.#hasOpenAttempt;
  }

  /** Returns the `expiresAt` of an item that is not needed after this time. */
  expiringIn(seconds: number): number {
    return this.#connection.expiringIn(seconds);
  }

  get<S extends v.GenericSchema>(key: Key, schema: S): Promise<v.InferOutput<S> | undefined> {
    return readItem(this.#connection, key, schema);
  }

  /**
   * Returns the items in the order of the keys, `undefined` for missing and deleted items. Simultaneous reads become
   * one call for each hundred keys, unless they want some attributes only. Repeats keys that the table has no capacity
   * for, within a share of the request's patience.
   */
  getMany(wanted: readonly Key[], options: ManyOptions = {}): Promise<(Attributes | undefined)[]> {
    return readMany(this.#connection, wanted, options);
  }

  /**
   * Returns up to 100 items as of the same moment. Other reads may see a transaction in some of its items before the
   * others. Costs twice as much as `getMany`.
   */
  getAtOnce(wanted: readonly Key[]): Promise<(Attributes | undefined)[]> {
    return readAtOnce(this.#connection, wanted);
  }

  /** Returns the items of a query. */
  async query(query: Query): Promise<Attributes[]> {
    const items: Attributes[] = [];
    for await (const page of this.pages(query)) items.push(...page);
    return items;
  }

  /** Yields the items of a query call by call (up to `atOnce` or 1 MB), so that a walk holds one page in memory. */
  pages(query: Query): AsyncGenerator<Attributes[]> {
    return readPages(this.#connection, query);
  }

  /** Yields all items whose partition key has this prefix. Reads the whole table. */
  scan(which: { partitionPrefix: string }): AsyncGenerator<Attributes[]> {
    return scanItems(this.#connection, which);
  }

  /**
   * Reads up to 1 MB of the table. Returns the keys of all items that fit, including expired and deleted items, and the
   * key at which the next page begins.
   */
  scanPage(which: ScanPage): Promise<{ keys: Key[]; next: Key | undefined }> {
    return scanPage(this.#connection, which);
  }

  /** Returns `false` if an item already has the key. That item stays unchanged. */
  async insert(key: Key, item: Attributes): Promise<boolean> {
    checkRenewed([{ key, insert: item }]);
    const { done } = await putStored(this.#connection, key, item);
    if (done) this.written.noteCommitted([{ key, insert: item }]);
    return done;
  }

  /**
   * Inserts up to 25 items in one call, for one write unit a KB each. Returns for each whether it is new. An existing item stays
   * unchanged. Repeats items that DynamoDB has no capacity for.
   */
  insertMany(items: readonly Insertion[]): Promise<boolean[]> {
    checkRenewed(items.map(({ key, item }) => ({ key, insert: item })));
    return insertMany(this.#connection, items);
  }

  /** Inserts items in one attempt. `busy` are the items that DynamoDB had no capacity for. */
  insertOnce(items: readonly Insertion[]): Promise<('new' | 'there' | 'busy')[]> {
    return insertOnce(this.#connection, items);
  }

  async change(key: Key, to: Change): Promise<ChangeOutcome> {
    checkRenewed([{ key, change: to }]);
    const outcome = await changeStored(this.#connection, key, to);
    if (outcome.done) this.written.noteChanged(key);
    return outcome;
  }

  /**
   * Returns `false` if no item has the key and meets the condition. An item that is missing after an attempt with a lost reply counts
   * as removed by that attempt.
   */
  async remove(key: Key, condition: Condition): Promise<boolean> {
    checkRenewed([{ key, remove: condition }]);
    const isRemoved = await removeStored(this.#connection, key, condition);
    if (isRemoved) this.written.noteChanged(key);
    return isRemoved;
  }

  /**
   * Removes up to 99 existing items of a deleted project, of any kind, together with a change of another item.
   * Containers no longer need the versions of their families.
   */
  async purge(keys: readonly Key[], noted: { key: Key; change: Change }): Promise<TransactionOutcome> {
    const outcome = await this.#send([...keys.map((key) => ({ key, remove: whenAnyThere })), noted]);
    return outcome.done ? { done: true } : outcome;
  }

  /** Writes all parts (up to 100) or none, once (`sendTransaction`). Inserts replace tombstones that permit it. */
  async transact(writes: readonly Write[]): Promise<TransactionOutcome> {
    checkRenewed(writes);
    const outcome = await this.#send(writes);
    if (outcome.done) this.written.noteCommitted(writes);
    if (outcome.done) return { done: true };
    this.#hasOpenAttempt ||= outcome.isOpen;
    const replacing = outcome.isOpen ? undefined : replaceBuried(writes, outcome.refused);
    if (replacing) return this.transact(replacing);
    for (const [index, { failed }] of outcome.refused.entries()) {
      const key = failed ? writes[index]?.key : undefined;
      if (key) this.turns.note(key);
    }
    return { done: false, refused: outcome.refused, ...(outcome.isOpen ? { isOpen: true } : {}) };
  }

  async #send(writes: readonly Write[]) {
    const { client, tableName, patienceInMs, capacity, within } = this.#connection;
    const items = writes.map((write) => buildTransactItem(tableName, write));
    const outcome = await sendTransaction(client, items, {
      ...{ patienceInMs, capacity, within },
      isInVain: (error) => this.turns.isInVain(error, writes),
      findOutcome: () => findOutcome(this.#connection, writes),
    });
    this.#connection.countWrite(outcome.done ? outcome.writeUnits : 0);
    return outcome;
  }

  /** Releases the time that is reserved for this request's records, which later requests need. */
  openReserve(): void {
    this.#connection.openReserve();
  }

  /** Adds this write to the request's commit. */
  commitWith(companion: Companion): void {
    this.#companion = companion;
  }

  /**
   * Writes the one transaction of a request, up to 99 parts, together with the record of the caller's idempotency key. A single insert
   * is sent as a put, for half of the units. A single change stays a transaction, whose token makes it safe for the SDK to repeat.
   */
  async commit(writes: readonly Write[]): Promise<TransactionOutcome> {
    const outcome = await this.#committed(writes);
    if (outcome.done) this.#connection.capacity?.noteCommit();
    return outcome;
  }

  async #committed(writes: readonly Write[]): Promise<TransactionOutcome> {
    const companion = this.#companion;
    const [only, ...others] = writes;
    if (!companion && only && others.length === 0 && 'insert' in only) {
      const outcome = await putStored(this.#connection, only.key, only.insert);
      if (outcome.done) this.written.noteCommitted(writes);
      return outcome;
    }
    if (!companion) return this.transact(writes);
    const outcome = await this.transact([...writes, companion.write]);
    if (outcome.done) companion.committed?.();
    if (outcome.done) return outcome;
    const own = outcome.refused.at(-1);
    if (outcome.isOpen && own?.failed && companion.tookEffect?.(own.item)) return { done: true };
    if (own?.failed) throw companion.refusal(own.item);
    return { done: false, refused: outcome.refused.slice(0, -1) };
  }
}
