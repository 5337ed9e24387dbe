import { keyText } from '#kernel/table/keys.ts';
import { kinds } from '#kernel/table/kind-names.ts';
import {
  fetchItems,
  isRawFence,
  putInPlace,
  putMissing,
  type RawItem,
  rawOwner,
  rawPlace,
  removeUnchanged,
} from '#kernel/table/raw-items.ts';
import { copiedAt } from '#kernel/table/stream.ts';
import {
  Counts,
  type Difference,
  eachAdded,
  eachMissingOrChanged,
  isInScope,
  kindOfDifference,
  type Pair,
  type Scope,
} from './differences.ts';

/**
 * Lists the kinds that a reader of the stream counts for their campaign. The campaign counted them when they were new.
 */
const countedKinds: readonly string[] = ['ACTIVITY', 'LEDGER', 'PENDING_POINTS', 'REDEMPTION', 'VOUCHER'];

const writesAtOnce = 16;

function asCopy(item: RawItem, now: Date): RawItem {
  return countedKinds.includes(rawPlace(item).kind) ? { ...item, [copiedAt]: { S: now.toISOString() } } : item;
}

async function inTurn<T>(items: readonly T[], use: (item: T) => Promise<void>): Promise<void> {
  for (let from = 0; from < items.length; from += writesAtOnce) {
    await Promise.all(items.slice(from, from + writesAtOnce).map(use));
  }
}

/** Returns the reason why children of this owner are not copied, or `undefined`. */
function obstacleOf(side: RawItem | undefined, live: RawItem | undefined, scope: Scope): string | undefined {
  if (!side) return undefined;
  if (!live || isRawFence(live)) return isInScope(side, scope) ? undefined : 'owner missing';
  if (live.deleted_at) return 'owner deleted';
  return live.created_at?.S === side.created_at?.S ? undefined : 'owner created again';
}

/** Puts an item, in the place of its tombstone if it exists. */
function put({ live, now }: Pair, item: RawItem, tombstone: RawItem | undefined): Promise<boolean> {
  const copy = asCopy(item, now);
  return tombstone ? putInPlace(live, copy, tombstone) : putMissing(live, copy);
}

type Missing = Extract<Difference, { what: 'missing' }>;

/** A block of uses that is missing was used up or given back since. Its rest would be subtracted from the count again. */
const isSettled = (item: RawItem) => rawPlace(item).kind === kinds.holdBlock;

/** Divides items into those that may be put, and others with the reason. */
async function judged({ side, live }: Pair, scope: Scope, missing: readonly Missing[]) {
  const children = missing.map((one) => one.side).filter((item) => rawPlace(item).kind !== rawPlace(item).owner);
  const owners = [...new Map(children.map((item) => [keyText(rawOwner(item)), rawOwner(item)])).values()];
  const [before, today] = await Promise.all([fetchItems(side, owners), fetchItems(live, owners)]);
  return missing.map(({ side: item, live: tombstone }) => {
    const owner = keyText(rawOwner(item));
    const isChild = rawPlace(item).kind !== rawPlace(item).owner;
    return { item, tombstone, obstacle: isChild ? obstacleOf(before.get(owner), today.get(owner), scope) : undefined };
  });
}

/**
 * Puts the items that the live table lacks, and changes nothing else. Skips a child if its owner was deleted or created
 * again since. An interrupted run continues when it is started again.
 */
export async function copyMissing(pair: Pair, scope: Scope, { dryRun = false } = {}): Promise<Counts> {
  const counts = new Counts();
  await eachMissingOrChanged(pair, scope, async (differences) => {
    const missing = differences.filter((one) => one.what === 'missing').filter(({ side }) => !isSettled(side));
    await inTurn(await judged(pair, scope, missing), async ({ item, tombstone, obstacle }) => {
      const { kind } = rawPlace(item);
      if (obstacle !== undefined) return counts.add(`left: ${obstacle}`, kind);
      if (dryRun) return counts.add('to put', kind);
      const isPut = await put(pair, item, tombstone);
      counts.add(isPut ? 'put' : 'left: written meanwhile', kind);
    });
  });
  return counts;
}

function apply(pair: Pair, difference: Difference): Promise<boolean> {
  if (difference.what === 'added') return removeUnchanged(pair.live, difference.live);
  return put(pair, difference.side, difference.live);
}

const done = { missing: 'put', changed: 'replaced', added: 'removed' } as const;
export const leftByReplace = 'left: written meanwhile';

/**
 * Makes the live table equal to the side table: puts, replaces and removes items. Each write requires the compared
 * state of the item, so that writes of a stage that is not stopped are never lost.
 */
export async function replaceAll(pair: Pair, scope: Scope, { dryRun = false } = {}): Promise<Counts> {
  const counts = new Counts();
  const use = (differences: readonly Difference[]) =>
    inTurn(differences, async (one) => {
      const kind = kindOfDifference(one);
      if (dryRun) return counts.add(`would be ${done[one.what]}`, kind);
      counts.add((await apply(pair, one)) ? done[one.what] : leftByReplace, kind);
    });
  await eachMissingOrChanged(pair, scope, use);
  await eachAdded(pair, scope, use);
  return counts;
}
