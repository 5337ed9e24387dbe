import { order } from '#engine/checkout/orders/resource.ts';
import { redemptionLists } from '#engine/checkout/redemptions/redemption.ts';
import { customerLists } from '#engine/customers/change-customer.ts';
import { customers } from '#engine/customers/customer.ts';
import { activityItem } from '#engine/ledger/activities/activity.ts';
import { activities, campaignActivityCounts, customerActivities } from '#engine/ledger/activities/record-activities.ts';
import { publicationLists } from '#engine/vouchers/publication.ts';
import type { Retained } from '#kernel/access/projects/project.ts';
import type { Reading } from '#kernel/http/context.ts';
import { keepClaim } from '#kernel/kit/resource/claims.ts';
import { splitIntoBatches } from '#kernel/table/batches.ts';
import { again, retryOptimistically } from '#kernel/table/conflicts.ts';
import { change, commitApart, type Effect, remove } from '#kernel/table/effects.ts';
import { type Attributes, parseStored } from '#kernel/table/item.ts';
import { type Key, keyOf, keyText, ownerKey, readKinds } from '#kernel/table/keys.ts';
import { type Listing, walkList } from '#kernel/table/listing.ts';
import { read } from '#kernel/table/read.ts';
import { Update } from '#kernel/table/update.ts';

/** Finds and removes old records. */

/** A record, and the place in the walk after which the next record follows. */
export interface OldRecord {
  readonly key: Key;
  readonly at: string;
  /** The customer of the activity. */
  readonly customerId?: string;
}

export interface FoundRecord {
  readonly item: Attributes;
  readonly customerId?: string | undefined;
}

export interface OldRecords {
  readonly find: (context: Reading, before: string, behind: string | undefined) => AsyncIterable<OldRecord>;
  /** Removes records that equal their archive. A changed record stays for the next run. A repetition has no effect. */
  readonly remove: (context: Reading, archived: readonly FoundRecord[]) => Promise<void>;
}

const removedAtOnce = 25;

/** Returns the effects that keep something of a removed record. */
type Kept = (projectId: string, item: Attributes) => readonly Effect[];

/** Removes single records, if their `changing` attributes are unchanged since the read. Figures and ledgers do not need the records. */
function listed(list: Listing | undefined, changing: readonly string[], kept: Kept = () => []): OldRecords {
  return {
    find: ({ table, project }, to, behind) => {
      if (!list) throw new Error('the records have no list by time');
      return walkList(table, list, [project.id], { to, behind });
    },
    remove: async ({ table, project }, archived) => {
      const removeOne = async ({ item }: FoundRecord) => {
        const asRead = (update: Update) =>
          changing.reduce((all, name) => all.whenStill(name, item[name]), update.whenStill('id', item.id));
        const others = kept(project.id, item);
        if (others.length === 0) return table.remove(keyOf(item), asRead(new Update()).build());
        return commitApart(table, [remove(keyOf(item), asRead), ...others]);
      };
      for await (const some of splitIntoBatches(archived, removedAtOnce)) await Promise.all(some.map(removeOne));
    },
  };
}

/** Walks over the activities of each customer. Ledger entries are in the same lists, and stay. */
async function* oldActivities(
  { table, project }: Reading,
  to: string,
  behind: string | undefined,
): AsyncGenerator<OldRecord> {
  const list = customerLists.created_at;
  for await (const { at, listed } of walkList(table, list, [project.id], { to, behind })) {
    const customerId = String(listed.id);
    const owner = keyText(customers(project.id, customerId));
    for await (const { key } of walkList(table, customerActivities, [project.id, customerId], { to })) {
      const isOwn = readKinds(key).kind === activities.kind && keyText(ownerKey(key)) === owner;
      if (isOwn) yield { key, at, customerId };
    }
  }
}

/** Limits the activities, so that they and the counts of as many campaigns fit into a transaction. */
const activitiesAtOnce = 45;

/** Removes activities of one customer with their counts, all or none. */
function removeActivities({ table, project }: Reading, keys: readonly Key[], customerId: string): Promise<true> {
  return retryOptimistically(table, async () => {
    const [found, { customer }] = await Promise.all([
      table.getMany(keys),
      read(table, { customer: customers(project.id, customerId) }),
    ]);
    const left = found.filter((item) => item !== undefined);
    if (left.length === 0) return true;
    const effects: Effect[] = left.map((item) => remove(keyOf(item), (update) => update.whenThere()));
    // Activities of a deleted customer have no counts.
    if (customer) {
      const count = (by: number) => (update: Update) => update.whenThere().add('activities', -by);
      effects.push(change(customers(project.id, customerId), count(left.length)));
      const byCampaign = Map.groupBy(left, (item) => parseStored(activityItem, item).campaign_id);
      for (const [id, some] of byCampaign) {
        if (id) effects.push(change(campaignActivityCounts(project.id, customerId, id), count(some.length)));
      }
    }
    return (await commitApart(table, effects)) || again;
  });
}

export const oldRecords: Readonly<Record<Retained, OldRecords>> = {
  redemptions: listed(redemptionLists.created_at, ['status', 'rollbacks', 'taken']),
  orders: listed(order.listings[0]?.listing, ['revision'], (projectId, { source_id }) =>
    source_id ? [keepClaim(order, projectId, 'source_id', source_id)] : [],
  ),
  publications: listed(publicationLists.created_at, []),
  activities: {
    find: oldActivities,
    remove: async (context, archived) => {
      const byCustomer = Map.groupBy(archived, ({ customerId = '' }) => customerId);
      for (const [customerId, all] of byCustomer) {
        const keys = all.map(({ item }) => keyOf(item));
        for await (const some of splitIntoBatches(keys, activitiesAtOnce))
          await removeActivities(context, some, customerId);
      }
    },
  },
};
