import { freeShared } from '#engine/holds/free-shared.ts';
import type { Counts } from '#engine/rules/context.ts';
import { counterKey } from '#engine/rules/counter.ts';
import type { Attributes } from '#kernel/table/item.ts';
import { type Key, keyOf, keyText } from '#kernel/table/keys.ts';
import type { Calling } from './build-redeemable.ts';
import type { Asked } from './checkout-body.ts';
import { decide, type Gathered, type Gathering, gather } from './gather.ts';

/** Returns the counts if one counter were greater. */
export function raiseCounts(
  { request, redeemables }: Pick<Gathered, 'request' | 'redeemables'>,
  key: Key,
  more: number,
): readonly Counts[] {
  const text = keyText(key);
  return redeemables.map(({ judged }) => {
    const isOf = (name: string) => {
      const found = counterKey(request.projectId, name, judged.counted, request.now);
      return found !== undefined && keyText(found) === text;
    };
    const own = Object.entries(judged.counts);
    return Object.fromEntries(own.map(([name, count = 0]) => [name, isOf(name) ? count + more : count]));
  });
}

/** Limits the rounds. A crash leaves fewer holds than they resolve. */
const maxRounds = 8;

type Decided = ReturnType<typeof decide>;

const statusesOf = ({ considered }: Decided) => considered.map(({ outcome }) => outcome.status).join();

/** Returns whether the limit of a counted item refuses the request. */
function isUsedUp(item: Attributes, gathered: Gathered, decided: Decided): boolean {
  const target = gathered.redeemables.find((one) => one.target.stored === item)?.target;
  if (target) {
    const limit = target.voucher?.redemption_quantity ?? Number.POSITIVE_INFINITY;
    return (target.voucher?.redeemed_quantity ?? 0) >= limit;
  }
  const count = Number(item.count ?? 0);
  if (count === 0) return false;
  const redeemables = gathered.judgedBy(raiseCounts(gathered, keyOf(item), -count));
  return statusesOf(decide({ ...gathered, redeemables })) !== statusesOf(decided);
}

/**
 * Frees the uses that dead holders and other containers withhold from the request. Returns true if the request must be
 * judged again.
 */
function freeLapsed(context: Calling, gathered: Gathered, decided: Decided): Promise<boolean> {
  const { redeemables, counters } = gathered;
  const read = redeemables.flatMap(({ target }) => (target.stored ? [target.stored] : []));
  return freeShared(context, [...read, ...counters.values()], (item) => isUsedUp(item, gathered, decided));
}

/** Counts redemptions from before a rule named their limits. Returns true if the caller must read again. */
export type OpenCounters = (context: Calling, gathered: Gathered) => Promise<boolean>;

/** Reads everything for a request, with limits that have counted earlier redemptions. */
export async function gatherCounted(
  context: Calling,
  asked: Asked,
  openCounters: OpenCounters,
  gathering: Gathering = {},
): Promise<Gathered> {
  for (let opened = 0; ; opened++) {
    const gathered = await gather(context, asked, gathering);
    if (opened === maxRounds || !(await openCounters(context, gathered))) return gathered;
  }
}

/** Judges a checkout after freeing lapsed holds. */
export async function judgeCheckout(
  context: Calling,
  asked: Asked,
  openCounters: OpenCounters,
  gathering: Gathering = {},
) {
  for (let round = 0; ; round++) {
    const gathered = await gatherCounted(context, asked, openCounters, gathering);
    const decided = decide(gathered);
    if (decided.isValid || round === maxRounds || !(await freeLapsed(context, gathered, decided)))
      return { gathered, decided };
  }
}
