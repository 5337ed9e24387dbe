import type { CountedName, CountedNames } from '#engine/rules/counter.ts';
import type { Reading } from '#kernel/http/context.ts';
import { noteResource } from '#kernel/kit/offers/offer-notes.ts';
import { splitIntoBatches } from '#kernel/table/batches.ts';
import { change, type Effect } from '#kernel/table/effects.ts';
import type { ItemKey } from '#kernel/table/kind.ts';
import { walkList } from '#kernel/table/listing.ts';
import type { Update } from '#kernel/table/update.ts';
import { newVersion } from '#kernel/table/version-copies.ts';
import { versionChanges } from '#kernel/table/version-effects.ts';
import { countEarlier } from './earlier-redemptions.ts';
import { type RedemptionItem, redemptionLists } from './redemption.ts';

/** Counts the earlier redemptions of a campaign or code part by part, and notes the progress. */

/** A campaign or a code that counts for limits. */
export interface Counting {
  readonly type: 'campaign' | 'voucher';
  readonly id: string;
  readonly key: ItemKey;
  readonly known: CountedNames | undefined;
}

interface Counted {
  readonly counted_limits?: CountedNames;
}

/** The records that may still be counted, for all limits together. */
export interface Budget {
  left: number;
}

/** Redemptions that were running when counting began are committed by then. */
const settledAfterInMs = 60_000;
const recordsAtOnce = 50;

/** Returns the time after which all redemptions count by themselves. */
export function readSettledTime({ since }: CountedName): Date {
  return new Date(Date.parse(since) + settledAfterInMs);
}

export function isSettled(known: CountedName, now: Date): boolean {
  return readSettledTime(known) <= now;
}

/** Notes the progress of these limits, if the stored progress is unchanged since the read. */
export function saveCounted(
  projectId: string,
  { type, id, key, known }: Counting,
  names: readonly string[],
  next: CountedName,
): Effect[] {
  const version = type === 'campaign' ? newVersion() : undefined;
  const all: CountedNames = { ...known, ...Object.fromEntries(names.map((name) => [name, next])) };
  const saved = change(key, (update: Update<Counted>) => {
    update.whenThere().whenStill('counted_limits', known).set(['counted_limits'], all);
    return version === undefined ? update : update.set(['version'], version);
  });
  if (version === undefined) return [saved];
  return [saved, ...versionChanges(key, version), ...noteResource(projectId, 'campaign', { id, version })];
}

/** Returns the range of the walk. After the first walk, only redemptions that were running when counting began may be missing. */
function rangeOf({ state, since, at }: CountedName) {
  const from = new Date(Date.parse(since) - settledAfterInMs).toISOString();
  return { ...(at === undefined ? {} : { behind: at }), ...(state === 'WALKED' ? { from } : {}) };
}

interface Walk {
  /** Limits with equal progress. */
  readonly names: readonly string[];
  readonly known: CountedName;
  readonly budget: Budget;
}

/**
 * Counts earlier redemptions while the budget, which must be above 0, lasts. Returns the progress of the limits. `at` is absent at the end
 * of the walk.
 */
export async function countFurther(
  context: Reading,
  { type, id }: Counting,
  { names, known, budget }: Walk,
): Promise<CountedName> {
  const { table, project } = context;
  const { at: _, job: __, ...begun } = known;
  const isForCampaign = type === 'campaign';
  const list = isForCampaign ? redemptionLists.ofCampaign : redemptionLists.ofObject;
  const isOf = (item: RedemptionItem) =>
    (isForCampaign ? item.related_object_parent_id : item.related_object_id) === id;
  const all = walkList(table, list, [project.id, id], { atOnce: recordsAtOnce, ...rangeOf(known) });
  let { at } = known;
  for await (const batch of splitIntoBatches(all, recordsAtOnce)) {
    if (budget.left <= 0) return { ...begun, at };
    await countEarlier(context, batch, { names, isOf });
    budget.left -= batch.length;
    at = batch.at(-1)?.at;
  }
  return { ...begun, state: begun.state === 'BEGUN' ? 'WALKED' : 'DONE' };
}
