import { isDeepStrictEqual } from 'node:util';
import * as v from 'valibot';
import type { Project } from '#kernel/access/projects/project.ts';
import { normaliseEmail } from '#kernel/core/email-address.ts';
import { ServiceError } from '#kernel/core/errors.ts';
import { newTimedId } from '#kernel/core/ids.ts';
import { mergeMetadata } from '#kernel/core/merge-metadata.ts';
import { checkBySchema } from '#kernel/core/metadata/check.ts';
import type { Reading } from '#kernel/http/context.ts';
import { change, check, type Effect, insert } from '#kernel/table/effects.ts';
import type { Attributes } from '#kernel/table/item.ts';
import { clearPlace, listIndexes, listing, placeInList } from '#kernel/table/listing.ts';
import { type CustomerItem, customerSources, customers, type Referral } from './customer.ts';

/**
 * Redemptions create at most 8,000 new customers a second. Entries that were placed in fewer partitions stay in the
 * lists.
 */
const spread = { shards: 8 };

/** Defines the lists of a project's customers. The last list has the customers of one e-mail address, in the order of creation. */
export const customerLists = {
  created_at: listing(listIndexes.first, 'CUSTOMERS_BY_CREATION', { ...spread, counted: true }),
  updated_at: listing(listIndexes.second, 'CUSTOMERS_BY_UPDATE', spread),
  source_id: listing(listIndexes.third, 'CUSTOMERS_BY_SOURCE_ID', spread),
  email: listing(listIndexes.fourth, 'CUSTOMERS_BY_EMAIL'),
};

/** Lists hold these fields of a customer, so that a search in a list reads no customers. */
export const listedCustomer = v.object({
  id: v.string(),
  source_id: v.optional(v.string()),
  name: v.optional(v.string()),
  email: v.optional(v.string()),
  city: v.optional(v.string()),
  created_at: v.string(),
  updated_at: v.optional(v.string()),
});

export type ListedCustomer = v.InferOutput<typeof listedCustomer>;

type Placed = Pick<CustomerItem, 'id' | 'source_id' | 'name' | 'email' | 'address' | 'created_at' | 'updated_at'>;

export type CustomerOrder = 'created_at' | 'updated_at' | 'source_id';

/** Returns the place of a customer in an order. The creation counts as the first change. Customers without a source id come first. */
export function placeCustomerIn(
  order: CustomerOrder,
  { id, source_id, created_at, updated_at }: Pick<Placed, 'id' | 'source_id' | 'created_at' | 'updated_at'>,
): [string, string] {
  const values = { created_at, updated_at: updated_at ?? created_at, source_id: source_id ?? '' };
  return [values[order], id];
}

/** Returns the fields that the lists hold of the customer. */
export function showListedCustomer({
  id,
  source_id,
  name,
  email,
  address,
  created_at,
  updated_at,
}: Placed): Attributes {
  const listed = { id, source_id, name, email, city: address?.city, created_at, updated_at };
  return Object.fromEntries(Object.entries(listed).filter(([, value]) => value !== undefined && value !== null));
}

/** Returns the attributes that place a customer in the lists. */
export function placeCustomer(projectId: string, item: Placed): Attributes {
  const { id, source_id, email, created_at, updated_at } = item;
  return {
    ...placeInList(customerLists.created_at, [projectId], [created_at, id]),
    ...placeInList(customerLists.updated_at, [projectId], [updated_at ?? created_at, id]),
    ...placeInList(customerLists.source_id, [projectId], [source_id ?? '', id]),
    ...(email
      ? placeInList(customerLists.email, [projectId, normaliseEmail(email)], [created_at, id])
      : clearPlace(customerLists.email)),
    listed: showListedCustomer(item),
  };
}

const described = ['name', 'description', 'email', 'phone', 'birthdate'] as const;

/** Callers can change these fields. */
const changing = [...described, 'birthday', 'address', 'metadata'] as const;

/** Holds the data of a customer that a caller sends. `null` clears a field, and a missing field stays. */
export interface CustomerData {
  source_id?: string | null | undefined;
  name?: string | null | undefined;
  description?: string | null | undefined;
  email?: string | null | undefined;
  phone?: string | null | undefined;
  birthdate?: string | null | undefined;
  address?: CustomerItem['address'];
  metadata?: Record<string, unknown> | null | undefined;
}

type Place = Pick<Reading, 'project' | 'now'>;

/**
 * Returns the customer with the sent data, merged key by key. `place` is the data's place in the body, followed by a
 * dot.
 */
export function applyData({ project }: Place, item: CustomerItem, data: CustomerData, place: string): CustomerItem {
  const given = described.filter((name) => data[name] !== undefined).map((name) => [name, data[name] ?? undefined]);
  return {
    ...item,
    ...Object.fromEntries(given),
    // Both names mean the same date. A sent date replaces a date from a project file.
    ...(data.birthdate === undefined || data.birthdate === item.birthday ? {} : { birthday: undefined }),
    ...(data.address === undefined
      ? {}
      : { address: data.address === null ? undefined : { ...item.address, ...data.address } }),
    metadata: mergeMetadata(
      { place: `${place}metadata`, schema: project.schemas('customer') },
      item.metadata,
      data.metadata,
    ),
  };
}

export function newCustomer(context: Place, data: CustomerData, place = ''): CustomerItem {
  const { now } = context;
  const blank: CustomerItem = {
    id: newTimedId('customer', now),
    source_id: data.source_id,
    metadata: {},
    system_metadata: {},
    created_at: now.toISOString(),
    summary: {},
    loyalty: {},
    referrals: {},
    activities: 0,
    referred_customers: 0,
    referred_in: [],
  };
  return applyData(context, blank, data, place);
}

export function isCustomerChanged(before: CustomerItem, after: CustomerItem): boolean {
  return changing.some((name) => !isDeepStrictEqual(before[name] ?? undefined, after[name] ?? undefined));
}

function refuseDeleted(id: string): ServiceError {
  const details = 'a customer that is being deleted has this id: try again in a moment';
  return new ServiceError('duplicate_found', { details, resource: { id, type: 'customer' } });
}

/**
 * Inserts the new customer with its claim on the source id, so that one of several concurrent requests creates it. No
 * customer's id is the source id of another customer, so that each name leads to one customer.
 */
export function insertCustomer(project: Project, item: CustomerItem): Effect[] {
  const { source_id } = item;
  // Only a customer that is stored must have required keys. Validations build customers that are never stored.
  checkBySchema(project.schemas('customer'), item.metadata, { place: 'customer.metadata' });
  return [
    insert(customers(project.id, item.id), { ...item, ...placeCustomer(project.id, item) }, (stored) =>
      stored?.deleted_at === undefined ? undefined : refuseDeleted(item.id),
    ),
    ...(source_id
      ? [
          insert(customerSources(project.id, source_id), { customer_id: item.id }),
          check(customers(project.id, source_id), (update) => update.whenStill('id', undefined)),
        ]
      : []),
  ];
}

/** Changes the fields that differ, if the customer has not changed since it was read. Events that change no field do not conflict. */
export function changeCustomer(
  project: Project,
  {
    before,
    after,
    referrals,
    getsCard,
  }: {
    before: CustomerItem;
    after: CustomerItem;
    referrals: readonly Referral[];
    /**
     * True if the same transaction makes a card. One of several concurrent requests makes it, and the others find it.
     */
    getsCard: boolean;
  },
  now: Date,
): Effect {
  return change(customers(project.id, before.id), (update) => {
    const changed = isCustomerChanged(before, after);
    if (changed) {
      for (const name of changing) {
        if (isDeepStrictEqual(before[name], after[name])) continue;
        if (after[name] === undefined) update.remove([name]);
        else update.set([name], after[name]);
      }
      const updated_at = now.toISOString();
      update.set(['updated_at'], updated_at);
      update.replaceAll(placeCustomer(project.id, { ...after, updated_at }));
    }
    const isReferred = referrals.length > 0;
    if (isReferred) update.set(['referred_in'], [...before.referred_in, ...referrals]);
    if (changed || isReferred || getsCard) update.whenStill('revision', before.revision).add('revision', 1);
    return update.whenThere();
  });
}

/** Guards a card that the same transaction makes for an unchanged customer. */
export function guardNewCard(project: Project, item: CustomerItem, now: Date): Effect {
  return changeCustomer(project, { before: item, after: item, referrals: [], getsCard: true }, now);
}
