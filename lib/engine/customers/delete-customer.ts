import * as v from 'valibot';
import { activityTypes } from '#engine/ledger/activities/activity.ts';
import { activities } from '#engine/ledger/activities/record-activities.ts';
import { heldCards, heldVouchers } from '#engine/vouchers/held-card.ts';
import { referees } from '#engine/vouchers/referee.ts';
import { vouchers } from '#engine/vouchers/voucher.ts';
import { notFound } from '#kernel/core/errors.ts';
import { newId } from '#kernel/core/ids.ts';
import { count, dateTime } from '#kernel/core/schema.ts';
import type { Reading, Writing } from '#kernel/http/context.ts';
import { removeStoredChild, walkChildPages } from '#kernel/kit/deletion/children.ts';
import { type Person, startErasure } from '#kernel/kit/deletion/erasure.ts';
import { deleteWithChildren } from '#kernel/kit/deletion/tombstone.ts';
import type { Cascade } from '#kernel/kit/deletion/work.ts';
import { splitIntoBatches } from '#kernel/table/batches.ts';
import { again, retryOptimistically } from '#kernel/table/conflicts.ts';
import { change, commit, type Effect, remove } from '#kernel/table/effects.ts';
import { type Attributes, parseStored } from '#kernel/table/item.ts';
import { keyOf, readKinds } from '#kernel/table/keys.ts';
import { partitionRange } from '#kernel/table/kind.ts';
import { read } from '#kernel/table/read.ts';
import { customerLists } from './change-customer.ts';
import { type CustomerItem, customerSources, customers, listMergedNames } from './customer.ts';
import { findCustomerItem } from './find-customer.ts';

/**
 * Deletes a customer's profile, activities and memberships, and frees the source id immediately. Vouchers stay without
 * a holder. Orders, redemptions and publications keep an id that no longer names a customer. Answers 404 for a missing
 * customer.
 */
export function deleteCustomer(context: Writing, idOrSourceId: string): Promise<CustomerItem> {
  return deleteTogether(context, idOrSourceId, () => []);
}

/** Frees the source id, and all names of customers that were merged into this customer. */
function freeNames(projectId: string, { id, source_id, merged = [] }: CustomerItem): Effect[] {
  const names = new Set([...(source_id ? [source_id] : []), ...listMergedNames(merged)]);
  return [...names].map((name) =>
    remove(customerSources(projectId, name), (update) => update.whenStill('customer_id', id)),
  );
}

/** Deletes the customer, and commits `also` in the same transaction. */
async function deleteTogether(
  context: Writing,
  idOrSourceId: string,
  also: (item: CustomerItem) => readonly Effect[],
): Promise<CustomerItem> {
  const { table, project, now } = context;
  return retryOptimistically(table, async () => {
    const item = await findCustomerItem(context, idOrSourceId);
    if (!item) throw notFound('customer', idOrSourceId);
    const { id } = item;
    const lists = Object.values(customerLists);
    const done = await commit(table, [
      ...deleteWithChildren(project.id, { parent: 'customer', id, key: customers(project.id, id), lists }, now),
      ...freeNames(project.id, item),
      ...also(item),
    ]);
    return done ? item : again;
  });
}

/** DynamoDB accepts at most 100 items in a transaction. */
const atOnce = 50;

const held = [heldCards.kind, heldVouchers.kind];

async function releaseVoucher({ table, project }: Reading, customerId: string, item: Attributes): Promise<Effect[]> {
  const { voucher_id: voucherId, referee } = parseStored(heldCards.schema, item);
  if (referee) return [remove(referees(project.id, voucherId, referee), (update) => update)];
  const { card } = await read(table, { card: vouchers(project.id, voucherId) });
  if (card?.holder_id !== customerId) return [];
  return [
    change(vouchers(project.id, voucherId), (update) =>
      update.whenStill('holder_id', customerId).remove(['holder_id']),
    ),
  ];
}

/**
 * Returns the ids of the customers that were merged into a deleted customer. Their activities are stored with their own
 * tombstones.
 */
async function readMergedIds({ table, project }: Reading, id: string): Promise<string[]> {
  const [tombstone] = await table.getMany([customers(project.id, id)], { deletedToo: true });
  const { merged = [] } = parseStored(v.object({ merged: customers.schema.entries.merged }), tombstone ?? {});
  return merged.map((one) => one.id);
}

async function* listChildren(context: Reading, id: string): AsyncGenerator<Effect[]> {
  const { table, project } = context;
  const parent = customers(project.id, id);
  for await (const page of walkChildPages(table, parent)) {
    const removals: Effect[] = [];
    for (const item of page) {
      const removal = removeStoredChild(parent, item);
      if (!held.includes(readKinds(keyOf(item)).kind)) removals.push(removal);
      else yield [removal, ...(await releaseVoucher(context, id, item))];
    }
    yield* splitIntoBatches(removals, atOnce);
  }
}

export const customerCascade: Cascade = {
  key: customers,
  children: async function* (context, id) {
    yield* listChildren(context, id);
    for (const merged of await readMergedIds(context, id)) {
      yield* listChildren(context, merged);
      yield [remove(customers(context.project.id, merged), (update) => update.whenUnsetOr('merged_into', id))];
    }
  },
};

export const permanentDeletion = v.object({
  id: v.string(),
  created_at: dateTime,
  related_object_id: v.string(),
  related_object: v.literal('customer'),
  status: v.literal('DONE'),
  data_json: v.object({
    events: count,
    customer_events: count,
    daily_events: count,
    segments: count,
    orders: count,
    order_events: count,
    customer: count,
  }),
  /** The public interface spells it so. */
  object: v.literal('pernament_deletion'),
});

/** The reply counts at most this many items. Further items are also deleted. */
const maxCounted = 10_000;

const typed = v.object({ type: v.string() });

/** Counts the customer's items by kind, and activities by type. */
async function countChildren({ table, project }: Reading, ids: readonly string[]): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for (const id of ids) {
    for await (const page of table.pages({ ...partitionRange(customers(project.id, id)), limit: maxCounted })) {
      for (const item of page) {
        const { kind } = readKinds(keyOf(item));
        const name = kind === activities.kind ? parseStored(typed, item).type : kind;
        counts.set(name, (counts.get(name) ?? 0) + 1);
      }
    }
  }
  return counts;
}

/** Is the kind of a membership in a segment (`segments/member.ts`). */
const segmentMember = 'SEGMENT_MEMBER';

/** A shorter text also occurs in data of other customers. */
const leastTelling = 12;

function collectTexts(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(collectTexts) : [];
}

/** Collects the texts by which files mention the customer, at most as many as a small item has room for. */
function describePerson({
  source_id,
  email,
  phone,
  name,
  description,
  address,
  metadata,
  merged = [],
}: CustomerItem): Person {
  const telling = collectTexts([description, address, metadata]).filter(({ length }) => length >= leastTelling);
  const texts = [...(name ? [name] : []), ...telling].map((text) => text.slice(0, 500)).slice(0, 100);
  const names = [email, phone, ...listMergedNames(merged)].filter((text) => typeof text === 'string');
  // Records that a merge has not moved yet have the id of the merged customer.
  const ids = merged.map((one) => one.id);
  return { ...(source_id ? { source_id } : {}), names, texts, ...(ids.length > 0 ? { ids } : {}) };
}

/** Deletes the customer, starts the job that erases the remaining data, and reports the numbers of deleted items. */
export async function deletePermanently(
  context: Writing,
  idOrSourceId: string,
): Promise<v.InferOutput<typeof permanentDeletion>> {
  const found = await findCustomerItem(context, idOrSourceId);
  if (!found) throw notFound('customer', idOrSourceId);
  const counts = await countChildren(context, [found.id, ...(found.merged ?? []).map((one) => one.id)]);
  const { project, now } = context;
  const { id } = await deleteTogether(context, found.id, (item) => [
    startErasure(project.id, item.id, describePerson(item), now),
  ]);
  const sum = (of: (type: string) => boolean) =>
    [...counts].reduce((total, [type, number]) => total + (of(type) ? number : 0), 0);
  return {
    id: newId('deletion'),
    created_at: context.now.toISOString(),
    related_object_id: id,
    related_object: 'customer',
    status: 'DONE',
    data_json: {
      events: sum((type) => type === activityTypes.customEvent),
      customer_events: sum((type) => type.startsWith('customer.')),
      daily_events: 0,
      segments: counts.get(segmentMember) ?? 0,
      orders: sum((type) => type === activityTypes.orderCreated),
      order_events: sum((type) => type.startsWith('customer.order.')),
      customer: 1,
    },
    object: 'pernament_deletion',
  };
}
