import * as v from 'valibot';
import type { Hold } from '#engine/holds/hold.ts';
import { holdLifeInMs, recordHolds } from '#engine/holds/items/hold-item.ts';
import { hold, settleHold } from '#engine/holds/standing/hold.ts';
import { retryOptimistically, tooContended } from '#kernel/table/conflicts.ts';
import { commit, insert } from '#kernel/table/effects.ts';
import type { Attributes } from '#kernel/table/item.ts';
import { kind } from '#kernel/table/kind.ts';
import { read } from '#kernel/table/read.ts';
import { Table } from '#kernel/table/table.ts';
import { fileTable, newClient, testTime, uniqueId } from './dependencies.ts';

/** Many callers want this offer. A till holds one piece while it sells. */

const offers = kind('OFFER', v.looseObject({ used: v.optional(v.number(), 0), left: v.optional(v.string()) }));
export const sales = kind('SALE', v.object({ sold: v.literal(true) }));
export const afterLapse = new Date(testTime.getTime() + holdLifeInMs + 1);

/** Makes a container with its own memory. */
export function container({ client = newClient(), now = testTime, patienceInMs = 30_000 } = {}) {
  return { client, table: new Table(client, fileTable(), now, { patienceInMs }), now };
}

export async function offerOf({ table, now } = container(), fields: Attributes = {}) {
  const project = { id: uniqueId('proj_') };
  const key = offers(project.id, 'everybody');
  await commit(table, [insert(key, { used: 0, ...fields })]);
  const context = { table, now, project } as unknown as Parameters<typeof hold>[0];
  const as = (other: { table: Table; now: Date }) => ({ ...context, table: other.table, now: other.now });
  const stored = async () => {
    const { offer } = await read(new Table(newClient(), fileTable(), now), { offer: key });
    if (!offer) throw new Error('the offer does not exist');
    return offer;
  };
  const limit = (value: number): Hold => ({ key, by: { used: 1 }, max: { attribute: 'used', value } });
  /** Stores the record of a sale. `item` is the offer after the hold. */
  const sell = (by: typeof context, id: string, item?: Attributes) => {
    const held = item && recordHolds(id, [{ key, item }]);
    return commit(by.table, [insert(sales(project.id, id), { sold: true, held }, () => tooContended())]);
  };
  return { context, as, key, stored, limit, sell };
}

export type Offer = Awaited<ReturnType<typeof offerOf>>;

export const ids = (count: number) => Array.from({ length: count }, () => uniqueId('r_'));

/** Holds, sells and settles in the same way as a till. Returns whether a piece was left. */
export async function bought({ context, limit, sell }: Offer, most: number, id = uniqueId('r_')) {
  const held = limit(most);
  const outcome = await retryOptimistically(context.table, () => hold(context, sales, held, id));
  if (!outcome.done) return false;
  await sell(context, id, outcome.item);
  await settleHold(context, held.key, id, outcome.item);
  return true;
}
