import { resolveBlocks } from '../holds/block.ts';
import { redemptionRecords } from '../holds/held.ts';
import { resolveLapsed, unlessBusy } from '../holds/lapsed.ts';
import type { Attributes } from '../table/item.ts';
import { keyOf } from '../table/keys.ts';
import type { Asked } from './checkout-body.ts';
import { type Calling, decide, type Gathered, type Gathering, gather } from './gather.ts';

/** A crash leaves fewer holds than so many rounds resolve. */
const maxRounds = 8;

/** Gives back what dead holders left on what was refused, so that nobody waits for another to ask. `true`: it is to be judged anew. */
async function freeLapsed(context: Calling, { redeemables, counters }: Gathered): Promise<boolean> {
  const read = redeemables.flatMap(({ target }) => (target.stored ? [target.stored] : []));
  const items: Attributes[] = [...read, ...counters.values()];
  const freed = await unlessBusy(
    Promise.all(
      items.map(async (item) => {
        const at = { key: keyOf(item), item };
        const isFreed = (await resolveLapsed(context, redemptionRecords, at)) !== undefined;
        return (await resolveBlocks(context, at)) || isFreed;
      }),
    ),
  );
  return freed?.includes(true) ?? false;
}

/** Counts for limits what was redeemed before a rule named them. Returns true if the caller must read again. */
export type OpenCounters = (context: Calling, gathered: Gathered) => Promise<boolean>;

/** Reads all that a request needs, with limits that have counted what was redeemed before. */
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

/** A checkout with what comes of it, where no hold that has lapsed stands in the way. */
export async function judged(context: Calling, asked: Asked, openCounters: OpenCounters, gathering: Gathering = {}) {
  for (let round = 0; ; round++) {
    const gathered = await gatherCounted(context, asked, openCounters, gathering);
    const decided = decide(gathered);
    if (decided.isValid || round === maxRounds || !(await freeLapsed(context, gathered))) return { gathered, decided };
  }
}
