import * as v from 'valibot';
import type { Attributes } from '../table/item.ts';
import { clearPlace, listIndexes, listing, placeInList } from '../table/listing.ts';
import type { CustomerItem } from './customer.ts';

/** Redemptions bring at most 8,000 new customers a second. Entries that were placed in fewer partitions stay in the lists. */
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
      ? placeInList(customerLists.email, [projectId, email], [created_at, id])
      : clearPlace(customerLists.email)),
    listed: showListedCustomer(item),
  };
}
