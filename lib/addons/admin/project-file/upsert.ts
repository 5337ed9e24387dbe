import type { ItemWrite } from '#kernel/kit/entries/item-write.ts';
import { insertManyLimit } from '#kernel/table/command.ts';
import { keyText } from '#kernel/table/keys.ts';
import type { Table } from '#kernel/table/table.ts';
import { newItem, settle } from './settle.ts';

/** Limits simultaneous calls. They keep a table busy with a few hundred items in memory. */
const callsAtOnce = 8;

/** A read accepts 100 keys: these items with a claim each. */
const readAtOnce = 50;

interface Options {
  readonly follows?: boolean;
  /**
   * True after a whole load of the project into the table. Most items then exist, and a refused insert costs as much as
   * a successful insert.
   */
  readonly isLoaded?: boolean;
}

/**
 * Writes items as they arrive: inserts new items and changes items that differ, except for attributes that the file
 * sets only on a new item. Uniqueness is a condition of the write, however recent the check.
 */
export class Upserts {
  readonly #table: Table;
  readonly #follows: boolean;
  readonly #isLoaded: boolean;
  readonly #underWay = new Set<Promise<void>>();
  #batch: ItemWrite[] = [];
  readonly #keys = new Set<string>();
  #failure: { error: unknown } | undefined;
  /** Counts the items that are as in the file. */
  done = 0;
  /** Counts the items that were new or differed. */
  written = 0;

  constructor(table: Table, { follows = false, isLoaded = false }: Options = {}) {
    this.#table = table;
    this.#follows = follows;
    this.#isLoaded = isLoaded;
  }

  async add(write: ItemWrite): Promise<void> {
    const key = keyText(write.key);
    // A call accepts each item once. A pointer that several entries share comes with each of them.
    if (this.#keys.has(key)) {
      if (write.ifThere) return;
      await this.#send();
    }
    this.#keys.add(key);
    this.#batch.push(write);
    if (this.#batch.length === (this.#isLoaded ? readAtOnce : insertManyLimit)) await this.#send();
  }

  async finish(): Promise<void> {
    await this.#send();
    await Promise.all(this.#underWay);
    this.#throwFailure();
  }

  async #send(): Promise<void> {
    const batch = this.#batch;
    this.#batch = [];
    this.#keys.clear();
    this.#throwFailure();
    if (batch.length === 0) return;
    const call: Promise<void> = this.#write(batch)
      .catch((error: unknown) => {
        this.#failure ??= { error };
      })
      .finally(() => this.#underWay.delete(call));
    this.#underWay.add(call);
    if (this.#underWay.size >= callsAtOnce) await Promise.race(this.#underWay);
  }

  #throwFailure(): void {
    if (this.#failure) throw this.#failure.error;
  }

  async #write(batch: ItemWrite[]): Promise<void> {
    const isNew = this.#isLoaded ? [] : await insertAlone(this.#table, batch);
    const left = batch.filter((_, index) => !isNew[index]);
    // A change of an existing item follows from the other items of the batch.
    const { ofOthers = [], own = [] } = Object.groupBy(left, ({ ifThere }) => (ifThere ? 'ofOthers' : 'own'));
    const settled = await settle(this.#table, [...own, ...ofOthers], { follows: this.#follows });
    this.written += batch.length - left.length + settled;
    this.done += batch.length;
  }
}

/** Inserts independent items at half the price of a transaction. Returns for each whether it is new. */
async function insertAlone(table: Table, batch: readonly ItemWrite[]): Promise<boolean[]> {
  const alone = batch.filter(
    ({ key, claims = [], apart = [], counted = [], versioned, noted, ifThere }) =>
      claims.length + apart.length + counted.length === 0 && !versioned && !noted && !ifThere && !('family' in key),
  );
  if (alone.length === 0) return [];
  const isNew = await table.insertMany(alone.map((write) => ({ key: write.key, item: newItem(write) })));
  const written = new Set(alone.filter((_, index) => isNew[index]));
  return batch.map((write) => written.has(write));
}
