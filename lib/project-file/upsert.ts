import { type Attributes, insertManyLimit, type Table, type Write } from '../dynamodb.ts';
import { type Listing, movesBetween, transactWithMoves } from '../lists/counted-list.ts';
import { keyText } from '../table.ts';
import { UpdateExpression } from '../update-expression.ts';
import { ProjectFileError } from './faults.ts';
import { type Counter, conflictsOf, type ItemWrite } from './item-write.ts';

/** Calls on the way at once: what keeps a table busy without holding more than a few hundred items. */
const callsAtOnce = 8;

/** A transaction takes 100 items: each of these brings up to two counters. */
const countedAtOnce = 25;

/** An item with places in ordered lists. */
type ListedWrite = ItemWrite & { listing: Listing };

function isListed(write: ItemWrite): write is ListedWrite {
  return write.listing !== undefined;
}

/** DynamoDB takes so many writes in a transaction. */
const transactLimit = 100;

/** How many new items with so many places each fit into one: an item, and at worst an entry, a segment and a head a place. */
function newAtOnce(places: number): number {
  return Math.max(1, Math.floor(transactLimit / (1 + 3 * places)));
}

/**
 * Writes items as they come, holding a few calls' worth of them: inserts what is new in calls of 25, and changes what is
 * there already one by one, leaving alone what only a new item takes from the file. What stands in ordered lists is
 * written in a transaction with its places. What must not be another's is a condition of the write, however recently it
 * was checked.
 */
export class Upserts {
  readonly #table: Table;
  readonly #underWay = new Set<Promise<void>>();
  #batch: ItemWrite[] = [];
  /** Items of one list all write its head: one after the other they don't stand in each other's way. */
  #listedTurn: Promise<void> = Promise.resolve();
  #failure: { error: unknown } | undefined;
  /** Items written so far. */
  written = 0;

  constructor(table: Table) {
    this.#table = table;
  }

  async add(write: ItemWrite): Promise<void> {
    this.#batch.push(write);
    if (this.#batch.length === insertManyLimit) await this.#send();
  }

  async finish(): Promise<void> {
    await this.#send();
    await Promise.all(this.#underWay);
    this.#throwFailure();
  }

  async #send(): Promise<void> {
    const batch = this.#batch;
    this.#batch = [];
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
    await this.#claim(batch.flatMap(({ claim }) => claim ?? []));
    const listed = batch.filter(isListed);
    const turn = this.#listedTurn.then(() => this.#writeListed(listed));
    this.#listedTurn = turn.catch(() => {});
    await turn;
    let open = batch.filter((write) => !isListed(write));
    while (open.length > 0) {
      const isNew = await this.#insert(open);
      const removedMeanwhile: ItemWrite[] = [];
      for (const [index, write] of open.entries()) {
        if (!isNew[index] && !(await this.#update(write))) removedMeanwhile.push(write);
      }
      open = removedMeanwhile;
    }
    this.written += batch.length;
  }

  /** Tells of each whether it is new. What raises counters is written in a transaction with them. */
  async #insert(writes: readonly ItemWrite[]): Promise<boolean[]> {
    const counted = writes.filter((write) => write.counted);
    if (counted.length === 0) return this.#table.insertMany(writes);
    const plain = writes.filter((write) => !write.counted);
    const plainIsNew = plain.length > 0 ? await this.#table.insertMany(plain) : [];
    const isNew = new Map(plain.map((write, index) => [write, plainIsNew[index] === true]));
    for (const batch of chunksOf(counted, countedAtOnce)) {
      const allNew = await this.#insertCounted(batch);
      // Some of them were there: each for itself tells which.
      for (const write of batch) isNew.set(write, allNew || (await this.#insertCounted([write])));
    }
    return writes.map((write) => isNew.get(write) === true);
  }

  async #insertCounted(writes: readonly ItemWrite[]): Promise<boolean> {
    const { done } = await this.#table.transact([
      ...writes.map(({ key, item }) => ({ key, insert: item })),
      ...changesOf(writes.flatMap(({ counted = [] }) => counted)),
    ]);
    return done;
  }

  /** A claim never passes to another item: one that is there is ours for good, or never. */
  async #claim(claims: ItemWrite[]): Promise<void> {
    let open = claims;
    while (open.length > 0) {
      const isNew = await this.#table.insertMany(open);
      const taken = open.filter((_, index) => !isNew[index]);
      const stored = await this.#table.getMany(taken.map(({ key }) => key));
      refuse(taken.flatMap((claim, index) => conflictsOf(claim, stored[index] ?? claim.item)));
      open = taken.filter((_, index) => stored[index] === undefined);
    }
  }

  /** `false` when the item has gone since it was seen. */
  async #update(write: ItemWrite): Promise<boolean> {
    if (moving(write).length === 0) return true;
    const outcome = await this.#table.change(write.key, changeOf(write).build());
    if (!outcome.done && outcome.item) refuse(conflictsOf(write, outcome.item));
    return outcome.done;
  }

  /** Until each is there, in the places that the file gives it; whatever another load does meanwhile is looked at again. */
  async #writeListed(writes: ListedWrite[]): Promise<void> {
    let open = writes;
    while (open.length > 0) {
      const stored = await this.#table.getMany(open.map(({ key }) => key));
      const again: ListedWrite[] = [];
      let batch: ListedWrite[] = [];
      const insert = async () => {
        if (!(await this.#insertListed(batch))) again.push(...batch);
        batch = [];
      };
      for (const [index, write] of open.entries()) {
        const item = stored[index];
        if (item) {
          if (!(await this.#updateListed(write, item))) again.push(write);
          continue;
        }
        batch.push(write);
        if (batch.length >= newAtOnce(write.listing.placesOf(write.item).length)) await insert();
      }
      await insert();
      open = again;
    }
  }

  /** `false` when one of them has come meanwhile: then none is written. */
  async #insertListed(batch: readonly ListedWrite[]): Promise<boolean> {
    if (batch.length === 0) return true;
    const inserts = batch.map(({ key, item }): Write => ({ key, insert: item }));
    const moves = batch.flatMap(({ item, listing }) => movesBetween(String(item.id), [], listing.placesOf(item)));
    return (await transactWithMoves(this.#table, inserts, moves)).done;
  }

  /** `false` when the item is no longer as it was read. */
  async #updateListed(write: ListedWrite, stored: Attributes): Promise<boolean> {
    const { key, item, listing } = write;
    refuse(conflictsOf(write, stored));
    const update = changeOf(write);
    for (const name of listing.by) update.whenStill(name, stored[name]);
    const after = { ...stored, ...Object.fromEntries(moving(write)) };
    const moves = movesBetween(String(item.id), listing.placesOf(stored), listing.placesOf(after));
    if (moves.length === 0) return (await this.#table.change(key, update.build())).done;
    return (await transactWithMoves(this.#table, [{ key, change: update.build() }], moves)).done;
  }
}

/** What an item that is there already takes from the file. */
function moving({ item, once }: ItemWrite): [string, unknown][] {
  return Object.entries(item).filter(([name]) => !once.includes(name));
}

function changeOf(write: ItemWrite): UpdateExpression {
  const { fixed = {}, kept = {} } = write;
  const update = new UpdateExpression().whenThere();
  for (const [name, value] of moving(write)) {
    if (value === undefined) update.remove([name]);
    else update.set([name], value);
    if (name in fixed) update.whenUnsetOr(name, value);
    if (name in kept) update.whenStill(name, value);
  }
  return update;
}

function chunksOf<T>(all: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(all.length / size) }, (_, index) =>
    all.slice(index * size, index * size + size),
  );
}

/** A transaction takes each item once: counters that several writes raise go up by the sum. */
function changesOf(counters: readonly Counter[]): Write[] {
  const byItem = Map.groupBy(counters, ({ key, attribute }) => `${keyText(key)}\n${attribute}`);
  return [...byItem.values()].flatMap((same) => {
    const [first] = same;
    if (!first) return [];
    const update = new UpdateExpression().add(
      first.attribute,
      same.reduce((sum, { by = 1 }) => sum + by, 0),
    );
    if (first.ofItem) update.whenThere();
    return [{ key: first.key, change: update.build() }];
  });
}

/** The table had none of these when the file was checked. */
function refuse(conflicts: readonly string[]): void {
  if (conflicts.length === 0) return;
  throw new ProjectFileError(
    conflicts.map((fault) => `${fault}: another load took it meanwhile; run again`),
    { partly: true },
  );
}
