import * as v from 'valibot';
import type { Showing } from '../context.ts';
import { described } from '../documented.ts';
import { compileFilter, filterQuery } from '../filters/filter.ts';
import { offsetOf, pageQuery, readPageItems, trueOrFalse } from '../http/page.ts';
import { reference } from '../schema.ts';
import { parseStored } from '../table/item.ts';
import { filteredPage, type ListPage, type Matches, maxWalked, readListPage } from '../table/list-page.ts';
import { type Entry, entries, inRange, type Range, sortKey } from '../table/listing.ts';
import { voucherOr404 } from '../vouchers/find-voucher.ts';
import { publicationFields } from './fields.ts';
import { presentAll } from './present-publication.ts';
import {
  type ListedPublication,
  listedPublication,
  type PublicationOrder,
  placeIn,
  publicationItem,
  publicationLists,
  publications,
} from './publication.ts';
import { type Source, sourceOf } from './publication-sources.ts';

const orders = ['id', 'voucher_code', 'tracking_id', 'customer_id', 'created_at', 'channel'] as const;

const kinds = { discount: 'DISCOUNT_VOUCHER', loyalty: 'LOYALTY_CARD', gift: 'GIFT_VOUCHER' } as const;

export const listPublicationsQuery = v.object({
  ...pageQuery,
  order: described(
    v.optional(v.picklist(orders.flatMap((order) => [order, `-${order}`] as const)), '-created_at'),
    'By which field; a leading dash means descending.',
  ),
  campaign: described(v.optional(reference), 'Only from the campaign of this name or id.'),
  customer: described(v.optional(reference), 'Only to the customer with this id or source id.'),
  voucher: described(v.optional(reference), 'Only of the voucher with this code or id.'),
  source_id: described(v.optional(reference), 'The one publication of this source id.'),
  result: described(v.optional(v.picklist(['SUCCESS', 'FAILURE'])), 'Only what came about, or what failed.'),
  voucher_type: described(v.optional(v.picklist(['discount', 'loyalty', 'gift'])), 'Only of this kind of voucher.'),
  is_referral_code: described(v.optional(trueOrFalse), 'Only of referral codes, or of others.'),
  filters: v.optional(filterQuery(publicationFields)),
});

export type ListPublicationsQuery = v.InferOutput<typeof listPublicationsQuery>;

const listedOf = ({ listed }: Entry): ListedPublication => parseStored(listedPublication, listed);

/** What is asked for beyond where they are looked for; nothing where all there are wanted. */
function filterOf(query: ListPublicationsQuery, now: Date): ((one: ListedPublication) => boolean) | undefined {
  const { result, voucher_type, is_referral_code, filters } = query;
  const tests: ((one: ListedPublication) => boolean)[] = [];
  if (result) tests.push((one) => one.result === result);
  if (voucher_type) tests.push((one) => one.voucher_type === kinds[voucher_type]);
  if (is_referral_code !== undefined) tests.push((one) => (one.is_referral_code ?? false) === is_referral_code);
  const filter = filters && compileFilter(publicationFields, filters);
  if (filter) tests.push((one) => filter(one, now));
  return tests.length === 0 ? undefined : (one) => tests.every((test) => test(one));
}

interface Order {
  field: PublicationOrder;
  descending: boolean;
}

function orderOf({ order }: ListPublicationsQuery): Order {
  const field = orders.find((one) => one === order.replace('-', '')) ?? 'created_at';
  return { field, descending: order.startsWith('-') };
}

/** The newest of them in an order that no index keeps. */
async function* sorted(all: AsyncIterable<Entry> | Iterable<Entry>, { field, descending }: Order, range: Range) {
  const found: Entry[] = [];
  for await (const entry of all) {
    found.push({ ...entry, at: sortKey(...placeIn(field, listedOf(entry))) });
    if (found.length === maxWalked) break;
  }
  const ascending = found.sort((one, other) => Buffer.compare(Buffer.from(one.at), Buffer.from(other.at)));
  for (const entry of descending ? ascending.reverse() : ascending) if (inRange(range, entry.at)) yield entry;
}

function pageOf(
  { table }: Showing,
  source: Source,
  order: Order,
  wanted: { limit: number; offset: number; matches: Matches | undefined },
): Promise<ListPage> {
  if ('few' in source) return filteredPage((range) => sorted(source.few, order, range), wanted);
  const { list, owner, bounds, orders: kept } = source;
  const { descending } = order;
  if (kept.includes(order.field)) {
    const counted = publicationLists.created_at;
    return readListPage(table, { list, counted, owner }, { ...wanted, ...bounds, descending });
  }
  const newest = () => entries(table, list, owner, { ...bounds, descending: true });
  return filteredPage((range) => sorted(newest(), order, range), wanted);
}

/**
 * In the orders of creation, customer and code a page costs itself and the keys before it; those of one customer or campaign have an
 * index. What else is asked for is looked for in the keys of 10,000, and other orders sort the newest 10,000.
 */
export async function listPublications(context: Showing, query: ListPublicationsQuery) {
  const { table, project, now } = context;
  const order = orderOf(query);
  const { source, also } = await sourceOf(context, query, order.field);
  const filter = filterOf(query, now);
  const fits = (one: ListedPublication) => (also?.(one) ?? true) && (filter?.(one) ?? true);
  const matches: Matches | undefined = also || filter ? (batch) => batch.map(listedOf).map(fits) : undefined;
  const { page, total, next } = await pageOf(context, source, order, {
    limit: query.limit,
    offset: offsetOf(query),
    matches,
  });
  const items = await readPageItems(
    table,
    page.map((entry) => publications(project.id, listedOf(entry).id)),
  );
  return {
    object: 'list' as const,
    data_ref: 'publications' as const,
    publications: await presentAll(
      context,
      items.map((item) => parseStored(publicationItem, item)),
    ),
    total,
    has_more: next !== undefined,
  };
}

/** Those of one voucher, 404 where it is not there. */
export async function listPublicationsOf(
  context: Showing,
  code: string,
  query: Pick<ListPublicationsQuery, 'limit' | 'page'>,
) {
  await voucherOr404(context, code);
  return listPublications(context, { ...query, order: '-created_at', voucher: code });
}
