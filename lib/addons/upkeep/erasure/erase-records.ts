import { order } from '#engine/checkout/orders/resource.ts';
import { redemptionLists } from '#engine/checkout/redemptions/redemption.ts';
import { orderReturn } from '#engine/checkout/returns/resource.ts';
import { customerBounds, publicationLists } from '#engine/vouchers/publication.ts';
import type { Reading } from '#kernel/http/context.ts';
import { splitIntoBatches } from '#kernel/table/batches.ts';
import { again, retryOptimistically } from '#kernel/table/conflicts.ts';
import type { Key } from '#kernel/table/keys.ts';
import { kinds } from '#kernel/table/kind-names.ts';
import { type Entry, walkList } from '#kernel/table/listing.ts';
import { Update } from '#kernel/table/update.ts';
import { addChanges, clearFields } from './clear-fields.ts';
import { erasePersonCounters } from './erase-counters.ts';
import { listFieldsToErase, type personalData } from './personal-data.ts';

/** Erases a person's fields from records that stay: redemptions, orders, their returns and publications. */

type RecordKind = keyof typeof personalData & ('REDEMPTION' | 'ORDER' | 'ORDER_RETURN' | 'PUBLICATION');

type Walk = AsyncGenerator<Entry>;

/** Finds the records of a customer by the lists that index them. */
const walks: Readonly<Record<RecordKind, (context: Reading, customerId: string) => Walk>> = {
  REDEMPTION: ({ table, project }, id) =>
    walkList(table, redemptionLists.customer_id, [project.id], customerBounds(id)),
  PUBLICATION: ({ table, project }, id) =>
    walkList(table, publicationLists.customer_id, [project.id], customerBounds(id)),
  ORDER_RETURN: async function* ({ table, project }, id) {
    if (!order.ofEach || !orderReturn.ofEach) return;
    for await (const { listed } of walkList(table, order.ofEach.listing, [project.id, id])) {
      yield* walkList(table, orderReturn.ofEach.listing, [project.id, String(listed.id)]);
    }
  },
  ORDER: async function* ({ table, project }, id) {
    if (order.ofEach) yield* walkList(table, order.ofEach.listing, [project.id, id]);
  },
};

/** Erases fields from one item, if it is unchanged since the read. An item without such fields stays unchanged. */
export function eraseFields({ table }: Pick<Reading, 'table'>, key: Key, fields: readonly string[]): Promise<true> {
  return retryOptimistically(table, async () => {
    const [item] = await table.getMany([key]);
    if (!item) return true;
    const update = new Update().whenThere();
    if (addChanges(update, item, clearFields(item, fields)) === 0) return true;
    // A request that has read the item must read it again before it writes the whole item.
    if (typeof item.revision === 'number') update.whenStill('revision', item.revision).add('revision', 1);
    return (await table.change(key, update.build())).done || again;
  });
}

const atOnce = 25;

/** Erases the customer from all their records, and returns the ids of the records. `undefined` means that the time ended first. */
export async function eraseRecords(
  context: Reading,
  customerId: string,
  isTimeUp: () => boolean,
): Promise<ReadonlySet<string> | undefined> {
  const ids = new Set<string>();
  for (const kind of [kinds.redemption, kinds.orderReturn, kinds.order, kinds.publication] as const) {
    for await (const batch of splitIntoBatches(walks[kind](context, customerId), atOnce)) {
      if (isTimeUp()) return undefined;
      await Promise.all(batch.map(({ key }) => eraseFields(context, key, listFieldsToErase(kind))));
      if (kind === kinds.redemption) {
        await Promise.all(batch.map(({ listed }) => erasePersonCounters(context, String(listed.id))));
      }
      for (const { listed } of batch) ids.add(String(listed.id));
    }
  }
  return ids;
}
