import type * as v from 'valibot';
import type { NameIn } from './attribute-names.ts';
import type { Write } from './command.ts';
import { renewFamilies } from './families.ts';
import type { Attributes } from './item.ts';
import { type Key, keyText, stripKey } from './keys.ts';
import { type ItemKey, itemMarks } from './kind.ts';
import type { Table } from './table.ts';
import { graveOf } from './tombstone.ts';
import { Update } from './update.ts';

/** Returns the error of a refused effect, given the stored item. `undefined` means that another attempt can succeed. */
export type ExplainRefusal = (stored: Attributes | undefined) => Error | undefined;

/** The key of an effect. Items without a project, such as credentials, have a bare key. */
type Place = Key | ItemKey;

/** A key whose kind, if present, defines the attributes of the item. */
type Keyed<S extends v.GenericSchema> = Key & Partial<ItemKey<S>>;

/** A change as data. Unlike other changes it can be stored, and made later (`data-effects.ts`). */
export interface Amendment<N extends string = string> {
  /** Amounts to add to numbers. A missing number is 0. */
  readonly add?: Readonly<Partial<Record<N, number>>> | undefined;
  readonly set?: Readonly<Partial<Record<N, unknown>>> | undefined;
  /** Values that the item must still have. `undefined` requires that the attribute is missing. */
  readonly still?: Readonly<Partial<Record<N, unknown>>>;
  /** Requires that the item exists. Otherwise the amendment makes a missing item. */
  readonly ifThere?: boolean | undefined;
}

/** One change that a use case makes. `commit` turns all effects of a use case into one transaction. */
export type Effect =
  | { readonly key: Place; readonly insert: Attributes; readonly refused?: ExplainRefusal }
  | { readonly key: Place; readonly change: (update: Update) => Update; readonly refused?: ExplainRefusal }
  | { readonly key: Place; readonly amend: Amendment; readonly refused?: ExplainRefusal }
  | { readonly key: Place; readonly remove: (update: Update) => Update; readonly refused?: ExplainRefusal }
  | {
      readonly key: Place;
      readonly removeFenced: (update: Update) => Update;
      readonly now: Date;
      readonly refused?: ExplainRefusal;
    }
  | { readonly key: Place; readonly check: (update: Update) => Update; readonly refused?: ExplainRefusal };

/** Inserts an item. `refused` returns the error if an item has the key already. */
export function insert(key: Place, item: Attributes, refused?: ExplainRefusal): Effect {
  return { key, insert: item, ...(refused ? { refused } : {}) };
}

/** Changes an item under conditions. Several changes of one item become one write. */
export function change<S extends v.GenericSchema>(
  key: Keyed<S>,
  by: (update: Update<v.InferInput<S>>) => Update<v.InferInput<S>>,
  refused?: ExplainRefusal,
): Effect {
  return { key, change: by, ...(refused ? { refused } : {}) };
}

/** Changes an item as `change` does, by data alone. */
export function amend<S extends v.GenericSchema>(key: Keyed<S>, amendment: Amendment<NameIn<v.InferInput<S>>>): Effect {
  return { key, amend: amendment };
}

/** Removes an item if the conditions hold. */
export function remove<S extends v.GenericSchema>(
  key: Keyed<S>,
  when: (update: Update<v.InferInput<S>>) => Update<v.InferInput<S>>,
  refused?: ExplainRefusal,
): Effect {
  return { key, remove: when, ...(refused ? { refused } : {}) };
}

/**
 * Removes an item if the conditions hold, and leaves a tombstone for a day, so that no late insert restores the item. A
 * new insert replaces the tombstone.
 */
export function removeFenced<S extends v.GenericSchema>(
  key: Keyed<S>,
  when: (update: Update<v.InferInput<S>>) => Update<v.InferInput<S>>,
  now: Date,
  refused?: ExplainRefusal,
): Effect {
  return { key, removeFenced: when, now, ...(refused ? { refused } : {}) };
}

/** Makes the transaction depend on conditions of an item, without a change. */
export function check<S extends v.GenericSchema>(
  key: Keyed<S>,
  when: (update: Update<v.InferInput<S>>) => Update<v.InferInput<S>>,
  refused?: ExplainRefusal,
): Effect {
  return { key, check: when, ...(refused ? { refused } : {}) };
}

/** DynamoDB accepts 100 items per transaction. The record of an idempotency key is one of them. */
export const maxWrites = 99;

/** DynamoDB accepts 4 MB of items per transaction. The length as JSON is close to the size that it counts. */
const maxBytes = 4_000_000;

interface Merged {
  write: Write;
  effects: readonly Effect[];
}

/** Adds the amendment to an update. */
function amended(update: Update, { add = {}, set = {}, still = {}, ifThere = false }: Amendment): void {
  if (ifThere) update.whenThere();
  for (const [name, amount = 0] of Object.entries(add)) update.add(name, amount);
  update.whenAllStill(still).setAll(set);
}

/** Merges the effects on one item into one write. An insert includes the changes of its item. */
function merged(effects: readonly [Effect, ...Effect[]]): Write {
  const { key } = effects[0];
  const marked = 'kind' in key ? itemMarks(key) : {};
  const update = new Update();
  let inserted: Attributes | undefined;
  let removes = false;
  let buriedAt: Date | undefined;
  for (const effect of effects) {
    if ('insert' in effect) {
      if (inserted) throw new Error(`two effects insert one ${keyText(key)}`);
      inserted = effect.insert;
    } else if ('change' in effect) effect.change(update);
    else if ('amend' in effect) amended(update, effect.amend);
    else if ('check' in effect) effect.check(update);
    else if ('removeFenced' in effect) {
      effect.removeFenced(update);
      buriedAt = effect.now;
    } else {
      effect.remove(update);
      removes = true;
    }
  }
  if (inserted && (removes || buriedAt)) throw new Error(`effects insert and remove one ${keyText(key)}`);
  if (inserted) return { key, insert: { ...update.appliedTo(inserted), ...marked } };
  const { set, ...condition } = update.build();
  if (buriedAt) return { key, replace: { ...marked, ...graveOf(buriedAt) }, when: condition };
  if (removes) return { key, remove: condition };
  return update.changes ? { key, change: { set, ...condition } } : { key, check: condition };
}

/** Merges effects by item, in the order of first mention. Versions of changed families come last. */
export function mergeEffects(effects: readonly Effect[]): Merged[] {
  const byItem = Map.groupBy(effects, ({ key }) => keyText(key));
  const writes = [...byItem.values()].flatMap((ofItem) => {
    const [first, ...others] = ofItem;
    return first ? [{ write: merged([first, ...others]), effects: ofItem }] : [];
  });
  const changed = effects.filter((effect) => !('check' in effect)).map(({ key }) => key);
  return [...writes, ...renewFamilies(changed).map((write) => ({ write, effects: [] }))];
}

/** Returns whether the effects fit into one transaction. Use cases ask if the caller chooses the number of effects. */
export function canFitOneTransaction(effects: readonly Effect[]): boolean {
  const writes = mergeEffects(effects);
  const sent = writes.map(({ write }) => ({ ...write, key: stripKey(write.key) }));
  return writes.length <= maxWrites && Buffer.byteLength(JSON.stringify(sent)) <= maxBytes;
}

/**
 * Commits all effects in a single transaction, or none, together with the record of the caller's idempotency key.
 * Throws the error of the first refused effect that defines an error. Returns `false` if another request was faster:
 * read and decide again. `tooMany` makes the error for effects that change more items than a transaction accepts.
 */
export function commit(
  table: Pick<Table, 'commit'>,
  effects: readonly Effect[],
  tooMany?: (items: number) => Error,
): Promise<boolean> {
  return committed(effects, (writes) => table.commit(writes), tooMany);
}

/** Commits without the record of the idempotency key: work that is due in any case, or that its own claims keep from happening twice. */
export function commitApart(table: Pick<Table, 'transact'>, effects: readonly Effect[]): Promise<boolean> {
  return committed(effects, (writes) => table.transact(writes));
}

function tooManyItems(items: number): Error {
  return new Error(`${items} items are more than one transaction can write`);
}

async function committed(
  effects: readonly Effect[],
  send: Table['transact'],
  tooMany = tooManyItems,
): Promise<boolean> {
  const writes = mergeEffects(effects);
  if (writes.length > maxWrites) throw tooMany(writes.length);
  const outcome = await send(writes.map(({ write }) => write));
  if (outcome.done) return true;
  for (const [index, { failed, item }] of outcome.refused.entries()) {
    if (!failed) continue;
    for (const { refused } of writes[index]?.effects ?? []) {
      const error = refused?.(item);
      if (error) throw error;
    }
  }
  return false;
}
