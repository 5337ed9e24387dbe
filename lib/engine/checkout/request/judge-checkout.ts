import { forgetSeen } from '#engine/holds/crowd-memory.ts';
import { redemptionRecords } from '#engine/holds/hold-item.ts';
import { resolveLapsed } from '#engine/holds/lapsed-holds.ts';
import { canHaveBlocks, recallBlocks, resolveBlocks } from '#engine/holds/open-blocks.ts';
import type { Counts } from '#engine/rules/context.ts';
import { counterKey } from '#engine/rules/counter.ts';
import { ignoreBusyTable } from '#kernel/table/conflicts.ts';
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

/** Returns the counted items whose limit refuses the request. Their counts may include unused blocks. */
function usedUp(gathered: Gathered, decided: Decided): Attributes[] {
  const vouchers = gathered.redeemables.flatMap(({ target: { voucher, stored } }) => {
    const limit = voucher?.redemption_quantity ?? Number.POSITIVE_INFINITY;
    return stored && (voucher?.redeemed_quantity ?? 0) >= limit ? [stored] : [];
  });
  const counters = [...gathered.counters.values()].filter((item) => {
    if (item.count === 0 || !canHaveBlocks(item)) return false;
    const redeemables = gathered.judgedBy(raiseCounts(gathered, keyOf(item), -item.count));
    return statusesOf(decide({ ...gathered, redeemables })) !== statusesOf(decided);
  });
  return [...vouchers, ...counters];
}

/**
 * Gives back what dead holders left on refused items, so that no caller must ask again. Returns true if the request must be judged again.
 */
async function freeLapsed(context: Calling, gathered: Gathered, decided: Decided): Promise<boolean> {
  const { redeemables, counters } = gathered;
  const read = redeemables.flatMap(({ target }) => (target.stored ? [target.stored] : []));
  const items: Attributes[] = [...read, ...counters.values()];
  // A refusal never relies on what the container remembers of a rush.
  if (items.map((item) => forgetSeen(context.table, keyOf(item))).includes(true)) return true;
  const inTheWay = new Set(usedUp(gathered, decided));
  const freed = await ignoreBusyTable(
    Promise.all(
      items.map(async (item) => {
        const at = { key: keyOf(item), item };
        const isFreed = (await resolveLapsed(context, redemptionRecords, at)) !== undefined;
        const isGivenBack = (await resolveBlocks(context, at)) || isFreed;
        return isGivenBack || (inTheWay.has(item) && (await recallBlocks(context, at)));
      }),
    ),
  );
  return freed?.includes(true) ?? false;
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

/** Judges a checkout without lapsed holds in the way. */
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
