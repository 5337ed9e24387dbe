import * as v from 'valibot';
import { described } from '#kernel/core/documented.ts';
import { normaliseEmail } from '#kernel/core/email-address.ts';
import { count, text } from '#kernel/core/schema.ts';
import type { Showing } from '#kernel/http/context.ts';
import {
  computeOffset,
  cursorQuery,
  dateRange,
  isWithin,
  looseDateTime,
  moreEntries,
  pageQuery,
  presentMore,
  unknownCursor,
} from '#kernel/http/page.ts';
import type { FilterFields } from '#kernel/kit/filters/fields.ts';
import { compileFilter, type Filter } from '#kernel/kit/filters/filter.ts';
import { listed } from '#kernel/kit/lists/listed.ts';
import {
  type BatchFilter,
  type ListPage,
  readFilteredPage,
  readListPage,
  type WantedPage,
} from '#kernel/table/list-page.ts';
import { type Entry, type Range, sortKey, toRange, walkList } from '#kernel/table/listing.ts';
import { read } from '#kernel/table/read.ts';
import { type SourceOrder, sortEntries } from '#kernel/table/source-page.ts';
import { type CustomerOrder, customerLists, placeCustomerIn } from './change-customer.ts';
import { type CustomerItem, customer, customers } from './customer.ts';
import {
  type CustomerGroup,
  maxRead,
  parseListedCustomer,
  readAsListed,
  takeFirst,
  testGroup,
} from './customer-group.ts';
import { findCustomerById, readCustomers } from './find-customer.ts';
import { presentCustomer } from './present-customer.ts';

const born = ({ birthdate, birthday }: CustomerItem) => birthdate ?? birthday;

/** Names the fields that filter customers. They describe the customer, and have no figures of held cards. */
const customerFilters: FilterFields<CustomerItem> = {
  id: 'text',
  source_id: 'text',
  name: 'text',
  description: 'text',
  email: { type: 'text', at: ({ email }: CustomerItem) => email, form: normaliseEmail },
  phone: 'text',
  city: { type: 'text', at: ({ address }: CustomerItem) => address?.city },
  'address.*': 'text',
  birthday: { type: 'date', at: born },
  birthdate: { type: 'date', at: born },
  created_at: 'date',
  updated_at: 'date',
  'metadata.*': 'any',
};

export const customersListed = listed({
  key: 'customers',
  element: customer,
  paging: { ...pageQuery, ...cursorQuery },
  orders: ['created_at', 'updated_at', 'source_id'],
  byDefault: '-created_at',
  parameters: {
    starting_after: described(
      v.optional(looseDateTime),
      'Only customers created after this moment, or before it in a descending order. Not together with `starting_after_id`.',
    ),
    email: described(v.optional(text), 'Only customers with this e-mail address, whether in upper or lower case.'),
    city: described(v.optional(text), 'Only customers in this city.'),
    name: described(v.optional(text), 'Only customers with this name.'),
    segment_id: described(v.optional(text), 'Only customers in this segment. An unknown segment has no customers.'),
    created_at: described(dateRange, 'Only customers created strictly before, or after.'),
    updated_at: described(dateRange, 'Only customers changed strictly before, or after.'),
  },
  filters: customerFilters,
  place: { total: count, ...moreEntries },
});

export const listCustomersQuery = v.pipe(
  customersListed.query,
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

type Order = SourceOrder<CustomerOrder>;

/** Returns the test for conditions that the order does not meet by itself, or `undefined` if all customers are wanted. */
function buildTest(query: ListCustomersQuery, { field, descending }: Order) {
  const { city, name, created_at, updated_at, starting_after } = query;
  const email = query.email === undefined ? undefined : normaliseEmail(query.email);
  const after = descending ? { before: starting_after } : { after: starting_after };
  const cursor = field === 'created_at' || starting_after === undefined ? undefined : after;
  if ([city, name, email, created_at, updated_at, cursor].every((one) => one === undefined)) return undefined;
  return (batch: readonly Entry[]) =>
    batch
      .map(parseListedCustomer)
      .map(
        (one) =>
          (city === undefined || one.city === city) &&
          (name === undefined || one.name === name) &&
          (email === undefined || normaliseEmail(one.email ?? '') === email) &&
          isWithin(created_at, one.created_at) &&
          isWithin(updated_at, one.updated_at) &&
          isWithin(cursor, one.created_at),
      );
}

/** Reads the customers that the lists don't rule out, and tests the filter. */
function addFilter({ table, project, now }: Showing, matches: BatchFilter | undefined, filters: Filter): BatchFilter {
  const meets = compileFilter(customerFilters, filters, project.schemas('customer'));
  return async (batch) => {
    const isOpen = matches ? await matches(batch) : batch.map(() => true);
    const { found } = await read(table, {
      found: batch.map((entry, index) =>
        isOpen[index] ? customers(project.id, parseListedCustomer(entry).id) : undefined,
      ),
    });
    return found.map((item) => item !== undefined && meets(item, now));
  };
}

/** Returns the place after which the page begins: a customer, or a moment. Returns `undefined` for the first page. */
async function readCursor(
  context: Showing,
  { starting_after, starting_after_id }: ListCustomersQuery,
  { field, descending }: Order,
): Promise<string | undefined> {
  if (starting_after_id !== undefined) {
    const item = await findCustomerById(context, starting_after_id);
    if (!item) throw unknownCursor('customer');
    return sortKey(...placeCustomerIn(field, item));
  }
  if (starting_after === undefined || field !== 'created_at') return undefined;
  return descending ? starting_after : toRange({ after: starting_after }).from;
}

const placeOf = (field: CustomerOrder, entry: Entry) => placeCustomerIn(field, parseListedCustomer(entry));

/** Reads a page of a kept list. By creation, it costs as much as the list of all customers. Other orders and filters read its members. */
function readKeptPage(
  context: Showing,
  { list, owner }: NonNullable<CustomerGroup['kept']>,
  { email, city, name, updated_at, filters }: ListCustomersQuery,
  order: Order,
  wanted: WantedPage<Entry>,
): Promise<ListPage<Entry>> {
  const { table } = context;
  if (order.field !== 'created_at') {
    const all = () => readAsListed(context, takeFirst(walkList(table, list, owner), maxRead));
    return readFilteredPage((range) => sortEntries(all(), order, placeOf, range), wanted);
  }
  if ([email, city, name, updated_at, filters].every((one) => one === undefined)) {
    return readListPage(table, { list, owner }, wanted);
  }
  return readFilteredPage((range) => readAsListed(context, walkList(table, list, owner, range)), {
    ...wanted,
    atMost: maxRead,
  });
}

function readPage(
  context: Showing,
  query: ListCustomersQuery,
  order: Order,
  wanted: WantedPage<Entry>,
  { kept }: CustomerGroup,
): Promise<ListPage<Entry>> {
  const { table, project } = context;
  const { email } = query;
  const counted = customerLists.created_at;
  if (kept) return readKeptPage(context, kept, query, order, wanted);
  if (!email) {
    return readListPage(table, { list: customerLists[order.field], counted, owner: [project.id] }, wanted);
  }
  // Customers from before addresses were normalised are listed as their address was sent.
  const [first, ...others] = new Set([normaliseEmail(email), email]);
  const walk = (one: string, range?: Range) => walkList(table, customerLists.email, [project.id, one], range);
  const all = async function* () {
    for (const one of [first, ...others]) yield* walk(one ?? '');
  };
  return readFilteredPage(
    (range) =>
      order.field === 'created_at' && others.length === 0 && first !== undefined
        ? walk(first, range)
        : sortEntries(all(), order, placeOf, range),
    wanted,
  );
}

/**
 * Lists customers. A request reads the page and the keys before the page. With a cursor it reads only the page.
 * Customers with the same e-mail address have a separate list. A search for a city, a name or dates reads the keys of
 * at most 10,000 customers.
 */
export async function listCustomers(context: Showing, query: ListCustomersQuery, among: CustomerGroup = {}) {
  const order = customersListed.orderIn(query);
  const behind = await readCursor(context, query, order);
  const bounds = order.field === 'source_id' ? {} : toRange(query[order.field] ?? {});
  const byMoment = query.starting_after !== undefined && order.field === 'created_at';
  // The list of an address needs no test for the address.
  const listed = buildTest(among.kept ? query : { ...query, email: undefined }, order);
  const matches = query.filters ? addFilter(context, listed, query.filters) : listed;
  const wanted = {
    ...bounds,
    behind,
    descending: order.descending,
    limit: query.limit,
    offset: behind === undefined ? computeOffset(query) : 0,
    matches: testGroup(context, matches, among.takes),
    ...(among.takes ? { atMost: maxRead } : {}),
    momentOf: byMoment ? (entry: Entry) => parseListedCustomer(entry).created_at : undefined,
  };
  const { page, total, next } = await readPage(context, query, order, wanted, among);
  const found = await readCustomers(
    context,
    page.map((entry) => parseListedCustomer(entry).id),
  );
  const shown = found.map((one) => presentCustomer(one, context));
  return customersListed.show(shown, { total, ...presentMore(next && parseListedCustomer(next).id) });
}
