import type { Write } from './command.ts';
import { renewals } from './families.ts';
import type { Attributes } from './item.ts';
import { bare, type Key, keyText } from './keys.ts';
import { type ItemKey, marks } from './kind.ts';
import type { Table } from './table.ts';
import { Update } from './update.ts';

/** Why an effect did not come about, by what stands under its key; nothing where it is worth another attempt. */
export type Refusal = (stored: Attributes | undefined) => Error | undefined;

/** Where the item of an effect stands; one that is of no project, such as a credential, does not say what it is. */
type Place = Key | ItemKey;

/** One thing that a use case brings about. Use cases gather effects; `commit` makes one transaction of them. */
export type Effect =
  | { readonly key: Place; readonly insert: Attributes; readonly refused?: Refusal }
  | { readonly key: Place; readonly change: (update: Update) => Update; readonly refused?: Refusal }
  | { readonly key: Place; readonly remove: (update: Update) => Update; readonly refused?: Refusal }
  | { readonly key: Place; readonly check: (update: Update) => Update; readonly refused?: Refusal };

/** Puts an item where none is. `refused`: the error where there is one already. */
export function insert(key: Place, item: Attributes, refused?: Refusal): Effect {
  return { key, insert: item, ...(refused ? { refused } : {}) };
}

/** Changes an item under conditions; several changes of one item become one. */
export function change(key: Place, by: (update: Update) => Update, refused?: Refusal): Effect {
  return { key, change: by, ...(refused ? { refused } : {}) };
}

/** Takes an item away while the conditions hold. */
export function remove(key: Place, when: (update: Update) => Update, refused?: Refusal): Effect {
  return { key, remove: when, ...(refused ? { refused } : {}) };
}

/** Lets everything happen only while the conditions hold of this item. */
export function check(key: Place, when: (update: Update) => Update, refused?: Refusal): Effect {
  return { key, check: when, ...(refused ? { refused } : {}) };
}

/** DynamoDB takes 100 items a transaction; the record of an idempotency key is one of them. */
export const maxWrites = 99;

/** DynamoDB takes 4 MB of items a transaction; JSON is about as long as what it counts. */
const maxBytes = 4_000_000;

interface Merged {
  write: Write;
  effects: readonly Effect[];
}

/** Effects on one item as one write: changes are joined, an insert takes the changes of its item along. */
function merged(effects: readonly [Effect, ...Effect[]]): Write {
  const { key } = effects[0];
  const marked = 'kind' in key ? marks(key) : {};
  const update = new Update();
  let inserted: Attributes | undefined;
  let removes = false;
  for (const effect of effects) {
    if ('insert' in effect) {
      if (inserted) throw new Error(`two effects insert one ${keyText(key)}`);
      inserted = effect.insert;
    } else if ('change' in effect) effect.change(update);
    else if ('check' in effect) effect.check(update);
    else {
      effect.remove(update);
      removes = true;
    }
  }
  if (inserted && removes) throw new Error(`effects insert and remove one ${keyText(key)}`);
  if (inserted) return { key, insert: { ...update.appliedTo(inserted), ...marked } };
  const { set, ...condition } = update.build();
  if (removes) return { key, remove: condition };
  return update.changes ? { key, change: { set, ...condition } } : { key, check: condition };
}

/** In the order in which their items are first named; the versions of families that they change come last. */
export function mergedWrites(effects: readonly Effect[]): Merged[] {
  const byItem = Map.groupBy(effects, ({ key }) => keyText(key));
  const writes = [...byItem.values()].flatMap((ofItem) => {
    const [first, ...others] = ofItem;
    return first ? [{ write: merged([first, ...others]), effects: ofItem }] : [];
  });
  const changed = effects.filter((effect) => !('check' in effect)).map(({ key }) => key);
  return [...writes, ...renewals(changed).map((write) => ({ write, effects: [] }))];
}

/** Whether so many effects fit one transaction: for use cases whose callers choose the number. */
export function fitsOneTransaction(effects: readonly Effect[]): boolean {
  const writes = mergedWrites(effects);
  const sent = writes.map(({ write }) => ({ ...write, key: bare(write.key) }));
  return writes.length <= maxWrites && Buffer.byteLength(JSON.stringify(sent)) <= maxBytes;
}

/**
 * Commits all effects in one transaction, together with the record of the caller's idempotency key, or none of them. Throws
 * the error of the first effect that is refused and says why; `false`: others were faster, read again and decide anew.
 */
export function commit(table: Pick<Table, 'commit'>, effects: readonly Effect[]): Promise<boolean> {
  return committed(effects, (writes) => table.commit(writes));
}

/** Without the record of the caller's idempotency key: what is due in any case, and what its own claims keep from happening twice. */
export function commitApart(table: Pick<Table, 'transact'>, effects: readonly Effect[]): Promise<boolean> {
  return committed(effects, (writes) => table.transact(writes));
}

async function committed(effects: readonly Effect[], send: Table['transact']): Promise<boolean> {
  const writes = mergedWrites(effects);
  if (writes.length > maxWrites) throw new Error(`${writes.length} items are more than one transaction takes`);
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
