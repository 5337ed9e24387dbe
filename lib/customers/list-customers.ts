import * as v from 'valibot';
import { described } from '../core/documented.ts';
import { count, text } from '../core/schema.ts';
import type { Showing } from '../http/context.ts';
import {
  cursorQuery,
  dateRange,
  isWithin,
  looseDateTime,
  more,
  moreEntries,
  offsetOf,
  pageQuery,
  unknownCursor,
} from '../http/page.ts';
import { filterQuery } from '../kit/filters/filter.ts';
import { filteredPage, type ListPage, maxWalked, readListPage, type Wanted } from '../table/list-page.ts';
import { between, type Entry, entries, inRange, type Range, sortKey } from '../table/listing.ts';
import { type Among, asListed, first, listedOf, maxRead, takenOf } from './among.ts';
import { customer } from './customer.ts';
import { customerFilters, filteredBy } from './customer-filters.ts';
import { type CustomerOrder, customerLists, placeIn } from './customer-lists.ts';
import { findCustomerById, readCustomers } from './find-customer.ts';
import { presentCustomer } from './present-customer.ts';

const orders = ['created_at', '-created_at', 'updated_at', '-updated_at', 'source_id', '-source_id'] as const;

export const listCustomersQuery = v.pipe(
  v.object({
    ...pageQuery,
    ...cursorQuery,
    order: described(v.optional(v.picklist(orders), '-created_at'), 'By which field; a leading dash means descending.'),
    starting_after: described(
      v.optional(looseDateTime),
      'Only customers created after this moment, or before it in a descending order. Not together with `starting_after_id`.',
    ),
    email: described(v.optional(text), 'Only customers with this address.'),
    city: described(v.optional(text), 'Only customers in this city.'),
    name: described(v.optional(text), 'Only customers of this name.'),
    segment_id: described(v.optional(text), 'Only customers in this segment; nobody is in one that is not there.'),
    created_at: described(dateRange, 'Only customers created strictly before, or after.'),
    updated_at: described(dateRange, 'Only customers changed strictly before, or after.'),
    filters: v.optional(filterQuery(customerFilters)),
  }),
  v.forward(
    v.partialCheck(
      [['starting_after'], ['starting_after_id']],
      ({ starting_after, starting_after_id }) => starting_after === undefined || starting_after_id === undefined,
      'must not be sent together with starting_after',
    ),
    ['starting_after_id'],
  ),
);

export type ListCustomersQuery = v.InferOutput<typeof listCustomersQuery>;

export const customerList = v.object({
  object: v.literal('list'),
  data_ref: v.literal('customers'),
  customers: v.array(customer),
  total: count,
  ...moreEntries,
});

interface Order {
  field: CustomerOrder;
  descending: boolean;
}

function orderOf({ order }: ListCustomersQuery): Order {
  const name = order.replace('-', '');
  const field = name === 'updated_at' || name === 'source_id' ? name : 'created_at';
  return { field, descending: order.startsWith('-') };
}

/** What an order does not narrow down by itself; none where everyone is wanted. */
function filterOf(query: ListCustomersQuery, { field, descending }: Order) {
  const { city, name, created_at, updated_at, starting_after, email } = query;
  const after = descending ? { before: starting_after } : { after: starting_after };
  const cursor = field === 'created_at' || starting_after === undefined ? undefined : after;
  if ([city, name, email, created_at, updated_at, cursor].every((one) => one === undefined)) return undefined;
  return (batch: readonly Entry[]) =>
    batch
      .map(listedOf)
      .map(
        (one) =>
          (city === undefined || one.city === city) &&
          (name === undefined || one.name === name) &&
          (email === undefined || one.email === email) &&
          isWithin(created_at, one.created_at) &&
          isWithin(updated_at, one.updated_at) &&
          isWithin(cursor, one.created_at),
      );
}

/** Where the page begins, if not at the first one: behind a customer, or behind all of a moment. */
async function cursorOf(
  context: Showing,
  { starting_after, starting_after_id }: ListCustomersQuery,
  { field, descending }: Order,
): Promise<string | undefined> {
  if (starting_after_id !== undefined) {
    const item = await findCustomerById(context, starting_after_id);
    if (!item) throw unknownCursor('customer');
    return sortKey(...placeIn(field, item));
  }
  if (starting_after === undefined || field !== 'created_at') return undefined;
  return descending ? starting_after : between({ after: starting_after }).from;
}

/** The customers of one address in another order than that of their index: few, which are sorted. */
async function* sorted(all: AsyncIterable<Entry>, { field, descending }: Order, range: Range): AsyncGenerator<Entry> {
  const found: Entry[] = [];
  for await (const entry of all) {
    found.push({ ...entry, at: sortKey(...placeIn(field, listedOf(entry))) });
    if (found.length === maxWalked) break;
  }
  const ascending = found.sort((one, other) => Buffer.compare(Buffer.from(one.at), Buffer.from(other.at)));
  for (const entry of descending ? ascending.reverse() : ascending) if (inRange(range, entry.at)) yield entry;
}

/** Those of a list that is kept of some: in the order of creation it costs as much as that of all, else its members are read. */
function keptPage(
  context: Showing,
  { list, owner }: NonNullable<Among['kept']>,
  { email, city, name, updated_at, filters }: ListCustomersQuery,
  order: Order,
  wanted: Wanted<Entry>,
): Promise<ListPage<Entry>> {
  const { table } = context;
  if (order.field !== 'created_at') {
    const all = () => asListed(context, first(entries(table, list, owner), maxRead));
    return filteredPage((range) => sorted(all(), order, range), wanted);
  }
  if ([email, city, name, updated_at, filters].every((one) => one === undefined)) {
    return readListPage(table, { list, owner }, wanted);
  }
  return filteredPage((range) => asListed(context, entries(table, list, owner, range)), { ...wanted, atMost: maxRead });
}

function pageOf(
  context: Showing,
  query: ListCustomersQuery,
  order: Order,
  wanted: Wanted<Entry>,
  { kept }: Among,
): Promise<ListPage<Entry>> {
  const { table, project } = context;
  const { email } = query;
  const counted = customerLists.created_at;
  if (kept) return keptPage(context, kept, query, order, wanted);
  if (!email) {
    return readListPage(table, { list: customerLists[order.field], counted, owner: [project.id] }, wanted);
  }
  return filteredPage((range) => {
    const owner = [project.id, email] as const;
    return order.field === 'created_at'
      ? entries(table, customerLists.email, owner, range)
      : sorted(entries(table, customerLists.email, owner), order, range);
  }, wanted);
}

/**
 * In each of the orders a page costs itself and the keys before it, behind a cursor itself. Those of one e-mail address have a list
 * of their own; a city, a name or dates are looked for in the keys of at most 10,000 customers.
 */
export async function listCustomers(context: Showing, query: ListCustomersQuery, among: Among = {}) {
  const order = orderOf(query);
  const behind = await cursorOf(context, query, order);
  const bounds = order.field === 'source_id' ? {} : between(query[order.field] ?? {});
  const byMoment = query.starting_after !== undefined && order.field === 'created_at';
  // An address that has a list of its own need not be looked for.
  const listed = filterOf(among.kept ? query : { ...query, email: undefined }, order);
  const matches = query.filters ? filteredBy(context, listed, query.filters) : listed;
  const wanted = {
    ...bounds,
    behind,
    descending: order.descending,
    limit: query.limit,
    offset: behind === undefined ? offsetOf(query) : 0,
    matches: takenOf(context, matches, among.takes),
    ...(among.takes ? { atMost: maxRead } : {}),
    momentOf: byMoment ? (entry: Entry) => listedOf(entry).created_at : undefined,
  };
  const { page, total, next } = await pageOf(context, query, order, wanted, among);
  const found = await readCustomers(
    context,
    page.map((entry) => listedOf(entry).id),
  );
  return {
    object: 'list' as const,
    data_ref: 'customers' as const,
    customers: found.map((one) => presentCustomer(one, context)),
    total,
    ...more(next && listedOf(next).id),
  };
}
