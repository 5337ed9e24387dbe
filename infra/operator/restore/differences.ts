import { keyText } from '#kernel/table/keys.ts';
import {
  fetchItems,
  isRawExpired,
  isRawFence,
  isSameItem,
  type RawItem,
  type RawTable,
  rawKey,
  rawPlace,
  walkItems,
} from '#kernel/table/raw-items.ts';

/** Finds the differences between a restored table, the side table, and the stage's own table, the live table. */

export interface Pair {
  readonly side: RawTable;
  readonly live: RawTable;
  readonly now: Date;
}

export interface Scope {
  /** Limits the items to partition keys with this beginning. Without it all items are compared. */
  readonly under?: string | undefined;
  /** Limits the items to these kinds, and to items in their partitions. Without it all kinds are compared. */
  readonly kinds: readonly string[];
}

export type Difference =
  /** `live` is a tombstone in the item's place. */
  | { readonly what: 'missing'; readonly side: RawItem; readonly live?: RawItem | undefined }
  | { readonly what: 'changed'; readonly side: RawItem; readonly live: RawItem }
  | { readonly what: 'added'; readonly live: RawItem; readonly side?: undefined };

/**
 * Leaves out turns of callers, positions in the stream and totals of lists. The stream counts the totals during the
 * copy.
 */
const neverCopied: readonly string[] = ['TURN', 'COUNTED', 'TOTAL'];

/** Leaves out keys and tokens, because those that were switched off or revoked must not be restored unnoticed. */
const onlyByName: readonly string[] = ['APP_KEY', 'CLIENT_KEY', 'MANAGEMENT_KEY', 'TOKEN', 'USER_ACCOUNT'];

const parallel = 8;

export function isInScope(item: RawItem, { under = '', kinds }: Scope): boolean {
  const { kind, owner, partition } = rawPlace(item);
  if (neverCopied.includes(kind) || !partition.startsWith(under)) return false;
  const isNamed = kinds.includes(kind) || kinds.includes(owner);
  return isNamed || (kinds.length === 0 && !onlyByName.includes(kind));
}

/** Reads one table, and yields each page with the items of the other table under the same keys. */
async function eachPage(
  of: RawTable,
  other: RawTable,
  isWanted: (item: RawItem) => boolean,
  use: (page: readonly RawItem[], others: ReadonlyMap<string, RawItem>) => Promise<void>,
): Promise<void> {
  const segments = Array.from({ length: parallel }, async (_, index) => {
    for await (const page of walkItems(of, { index, of: parallel })) {
      const wanted = page.filter(isWanted);
      if (wanted.length > 0) await use(wanted, await fetchItems(other, wanted.map(rawKey)));
    }
  });
  await Promise.all(segments);
}

/** A tombstone only keeps the key of a removed item from late inserts. */
function isMissingIn(others: ReadonlyMap<string, RawItem>, item: RawItem): boolean {
  const other = others.get(keyText(rawKey(item)));
  return other === undefined || isRawFence(other);
}

/** Yields all items of the side table that are missing or different in the live table, page by page. */
export function eachMissingOrChanged(
  { side, live, now }: Pair,
  scope: Scope,
  use: (differences: readonly Difference[]) => Promise<void>,
): Promise<void> {
  const isWanted = (item: RawItem) => isInScope(item, scope) && !isRawExpired(item, now) && !isRawFence(item);
  return eachPage(side, live, isWanted, (page, others) => {
    const differences = page.flatMap((item): Difference[] => {
      const other = others.get(keyText(rawKey(item)));
      if (other === undefined || isRawFence(other)) return [{ what: 'missing', side: item, live: other }];
      return isSameItem(item, other) ? [] : [{ what: 'changed', side: item, live: other }];
    });
    return use(differences);
  });
}

/** Yields all items that only the live table has, page by page. */
export function eachAdded(
  { side, live, now }: Pair,
  scope: Scope,
  use: (differences: readonly Difference[]) => Promise<void>,
): Promise<void> {
  const isWanted = (item: RawItem) => isInScope(item, scope) && !isRawExpired(item, now) && !isRawFence(item);
  return eachPage(live, side, isWanted, (page, others) =>
    use(page.filter((item) => isMissingIn(others, item)).map((item) => ({ what: 'added', live: item }))),
  );
}

/** Counts items by name and kind. */
export class Counts {
  readonly #counts = new Map<string, number>();

  add(name: string, kind: string): void {
    const key = `${kind}\t${name}`;
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
  }

  of(name: string): number {
    const all = [...this.#counts].filter(([key]) => key.endsWith(`\t${name}`));
    return all.reduce((sum, [, count]) => sum + count, 0);
  }

  /** Writes a line for each kind and name, with tabs between kind, name and count. */
  get lines(): string {
    const sorted = [...this.#counts].toSorted(([a], [b]) => (a < b ? -1 : 1));
    return sorted.map(([key, count]) => `${key}\t${count}\n`).join('');
  }
}

export function kindOfDifference({ side, live }: Difference): string {
  const item = side ?? live;
  return item ? rawPlace(item).kind : '';
}

/** Counts the differences, and writes nothing. */
export async function compareTables(pair: Pair, scope: Scope): Promise<Counts> {
  const counts = new Counts();
  const count = async (differences: readonly Difference[]) => {
    for (const one of differences) counts.add(one.what, kindOfDifference(one));
  };
  await eachMissingOrChanged(pair, scope, count);
  await eachAdded(pair, scope, count);
  return counts;
}
