import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type * as v from 'valibot';
import type { CapacityBudget } from './capacity.ts';
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
import { transactItem } from './command-input.ts';
import { Connection, type ConnectionOptions, type Meter } from './connection.ts';
import { checkRenewed } from './families.ts';
import type { Attributes } from './item.ts';
import type { Key } from './keys.ts';
import { readAtOnce, readItem, readMany, readPages, scanItems } from './reads.ts';
import { sendTransaction } from './transaction.ts';
import { Turns } from './turns.ts';
import { change, insertMany, insertOnce, put, remove } from './writes.ts';
import { Written } from './written.ts';

/**
 * One request's view of the table: counts what it costs, reads consistently (a reply shows what was written before
 * it), and does not see items past their `expiresAt`, which TTL removes late.
 */
export class Table {
  readonly #connection: Connection;
  #companion: Companion | undefined;
  readonly written = new Written();
  /** For what is attempted again after others were faster. */
  readonly turns: Turns;

  /** Without a limit, a call takes as long as the SDK's attempts do. */
  constructor(client: DynamoDBDocumentClient, tableName: string, now: Date, options: ConnectionOptions = {}) {
    this.#connection = new Connection(client, tableName, now, options);
    this.turns = new Turns(this.#connection);
  }

  get meter(): Meter {
    return this.#connection.meter;
  }

  /** Which table it is, and for which container: what that has kept of one must not pass for another's. */
  get name(): string {
    return this.#connection.tableName;
  }

  get container(): object {
    return this.#connection.client;
  }

  /** How long a use case may go on trying what others are in the way of. */
  get patienceInMs(): number {
    return this.#connection.patienceInMs;
  }

  get capacity(): CapacityBudget | undefined {
    return this.#connection.capacity;
  }

  /** Returns the `expiresAt` of an item that nobody needs after so long. */
  expiringIn(seconds: number): number {
    return this.#connection.expiringIn(seconds);
  }

  get<S extends v.GenericSchema>(key: Key, schema: S): Promise<v.InferOutput<S> | undefined> {
    return readItem(this.#connection, key, schema);
  }

  /**
   * The items in the order of the keys, `undefined` for those that are not there, or deleted. What is asked for at once, here or in `get`,
   * is one call a hundred keys. What the table has no capacity for is asked for again, later each time, within a part of the
   * request's patience.
   */
  getMany(wanted: readonly Key[], options: { deletedToo?: boolean } = {}): Promise<(Attributes | undefined)[]> {
    return readMany(this.#connection, wanted, options);
  }

  /**
   * The items (up to 100, each once) as they were at one moment: other reads may meet a transaction that shows in some of
   * its items already and not yet in others. Costs twice as much as `getMany`.
   */
  getAtOnce(wanted: readonly Key[]): Promise<(Attributes | undefined)[]> {
    return readAtOnce(this.#connection, wanted);
  }

  /** The items that the query asks for. */
  async query(query: Query): Promise<Attributes[]> {
    const items: Attributes[] = [];
    for await (const page of this.pages(query)) items.push(...page);
    return items;
  }

  /** The same by what one call reads (up to `atOnce` or 1 MB), so that a walk holds no more than one page. */
  pages(query: Query): AsyncGenerator<Attributes[]> {
    return readPages(this.#connection, query);
  }

  /** Every item whose partition key begins so, by what DynamoDB reads in one call. It reads the whole table for it. */
  scan(which: { partitionPrefix: string }): AsyncGenerator<Attributes[]> {
    return scanItems(this.#connection, which);
  }

  /** `false` when there is an item under the key already; that item is left as it is. */
  async insert(key: Key, item: Attributes): Promise<boolean> {
    checkRenewed([{ key, insert: item }]);
    const { done } = await put(this.#connection, key, item);
    if (done) this.written.noteCommitted([{ key, insert: item }]);
    return done;
  }

  /**
   * Inserts up to 25 items in one call, one write unit a KB each; the answers tell of each whether it is new. An item
   * that is there already is left as it is. What DynamoDB had no capacity for is tried again, later each time.
   */
  insertMany(items: readonly Insertion[]): Promise<boolean[]> {
    checkRenewed(items.map(({ key, item }) => ({ key, insert: item })));
    return insertMany(this.#connection, items);
  }

  /** The same in one attempt: `busy` is what DynamoDB had no capacity for. */
  insertOnce(items: readonly Insertion[]): Promise<('new' | 'there' | 'busy')[]> {
    return insertOnce(this.#connection, items);
  }

  async change(key: Key, to: Change): Promise<ChangeOutcome> {
    checkRenewed([{ key, change: to }]);
    const outcome = await change(this.#connection, key, to);
    if (outcome.done) this.written.noteChanged(key);
    return outcome;
  }

  /**
   * `false` when there is no item under the key for which the condition holds. An item that is gone after an attempt whose
   * reply was lost counts as removed by that one.
   */
  async remove(key: Key, condition: Condition): Promise<boolean> {
    checkRenewed([{ key, remove: condition }]);
    const isRemoved = await remove(this.#connection, key, condition);
    if (isRemoved) this.written.noteChanged(key);
    return isRemoved;
  }

  /** All parts or none (up to 100), once (`sendTransaction`). */
  async transact(writes: readonly Write[]): Promise<TransactionOutcome> {
    checkRenewed(writes);
    const { client, tableName, patienceInMs, capacity, within } = this.#connection;
    const items = writes.map((write) => transactItem(tableName, write));
    const isInVain = (error: unknown) => this.turns.isInVain(error, writes);
    const outcome = await sendTransaction(client, items, { patienceInMs, capacity, within, isInVain });
    this.#connection.countWrite(outcome.done ? outcome.writeUnits : 0);
    if (outcome.done) this.written.noteCommitted(writes);
    if (outcome.done) return { done: true };
    for (const [index, { failed }] of outcome.refused.entries()) {
      const key = failed ? writes[index]?.key : undefined;
      if (key) this.turns.note(key);
    }
    return outcome;
  }

  /** From now on what was kept back of the request's time may be used, for what later requests must learn of it. */
  openReserve(): void {
    this.#connection.openReserve();
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
    const outcome = await this.#committed(writes);
    if (outcome.done) this.#connection.capacity?.noteCommit();
    return outcome;
  }

  async #committed(writes: readonly Write[]): Promise<TransactionOutcome> {
    const companion = this.#companion;
    const [only, ...others] = writes;
    if (!companion && only && others.length === 0 && 'insert' in only) {
      const outcome = await put(this.#connection, only.key, only.insert);
      if (outcome.done) this.written.noteCommitted(writes);
      return outcome;
    }
    if (!companion) return this.transact(writes);
    const outcome = await this.transact([...writes, companion.write]);
    if (outcome.done) companion.committed?.();
    if (outcome.done) return outcome;
    const own = outcome.refused.at(-1);
    if (own?.failed) throw companion.refusal(own.item);
    return { done: false, refused: outcome.refused.slice(0, -1) };
  }
}
