import * as v from 'valibot';
import { readTerms, readTermsBesideOwn, readTermsWithCategories } from '#engine/campaigns/campaign-terms.ts';
import { noCategories, readCategories } from '#engine/rules/categories/resource.ts';
import { described } from '#kernel/core/documented.ts';
import { ServiceError } from '#kernel/core/errors.ts';
import { array, count, reference } from '#kernel/core/schema.ts';
import type { Showing } from '#kernel/http/context.ts';
import {
  computeOffset,
  cursorQuery,
  dateRange,
  isWithin,
  moreEntries,
  pageQuery,
  presentMore,
  readParsedPage,
  unknownCursor,
} from '#kernel/http/page.ts';
import { compileFilter } from '#kernel/kit/filters/filter.ts';
import { listed } from '#kernel/kit/lists/listed.ts';
import type { BatchFilter } from '#kernel/table/list-page.ts';
import { type Entry, sortKey } from '#kernel/table/listing.ts';
import { read, readItemsOf } from '#kernel/table/read.ts';
import { showVouchers } from '../present-voucher.ts';
import { type VoucherItem, voucher, voucherItem, vouchers } from '../voucher.ts';
import { type FilteredVoucher, findVoucherCategoryId, voucherFilterFields } from './filter-fields.ts';
import { parseListedVoucher, readVoucherPage, type VoucherOrder } from './pages.ts';
import { findVoucherSource, type VoucherSource } from './sources.ts';

export const vouchersListed = listed({
  key: 'vouchers',
  element: voucher,
  paging: { ...pageQuery, ...cursorQuery },
  orders: ['created_at', 'updated_at', 'code'],
  byDefault: '-created_at',
  parameters: {
    campaign: described(v.optional(reference), 'Only vouchers of the campaign with this name or id.'),
    campaign_id: described(v.optional(reference), 'The same by id or name. It wins over `campaign`.'),
    category: described(
      v.optional(reference),
      "Only vouchers of the category with this name or id, their own or their campaign's.",
    ),
    customer: described(v.optional(reference), 'Only vouchers that the customer with this id or source id holds.'),
    code: described(v.optional(reference), 'Only the voucher with this code.'),
    ids: described(v.optional(array(reference, 100, 'ids')), 'Only the vouchers with these ids.'),
    created_at: described(dateRange, 'Only vouchers created strictly before, or after.'),
    updated_at: described(dateRange, 'Only vouchers changed strictly before, or after.'),
  },
  filters: voucherFilterFields,
  place: { total: count, ...moreEntries },
});

type ListVouchersQuery = v.InferOutput<typeof vouchersListed.query>;

type Test = (one: FilteredVoucher) => boolean;

/** Returns the id of the category with this name or id, or `undefined`. */
async function findCategoryId(context: Showing, nameOrId: string): Promise<string | undefined> {
  const found = Object.values(await readCategories(context, [nameOrId], { category: nameOrId }));
  return (found.find((one) => one?.id === nameOrId) ?? found.find((one) => one !== null))?.id;
}

/** Reads the terms and categories that the tests of the query need. */
async function readNeededTerms(
  context: Showing,
  items: readonly VoucherItem[],
  { category, filters }: ListVouchersQuery,
) {
  if (filters !== undefined) return readTermsWithCategories(context, items);
  const ofCampaigns = items.filter(({ campaign_id }) => campaign_id);
  // The wanted category exists. Only a different category, which a voucher has in place of its campaign's, may be
  // deleted.
  if (category !== undefined) return readTermsBesideOwn(context, ofCampaigns);
  const campaigns = await readTerms(
    context,
    ofCampaigns.map(({ campaign_id }) => campaign_id),
  );
  return { campaigns, categories: noCategories };
}

/** Reads the vouchers that exist, with what they inherit. */
async function readFiltered(context: Showing, batch: readonly Entry[], query: ListVouchersQuery) {
  const items = await readItemsOf(context.table, vouchers, batch);
  const there = items.filter((item) => item !== undefined);
  const { campaigns, categories } = await readNeededTerms(context, there, query);
  return items.map((item) => item && { item, campaign: campaigns.get(item.campaign_id ?? ''), categories });
}

/**
 * Returns the test for conditions that the source does not guarantee by itself, or `undefined` if it guarantees all.
 */
async function buildMatches(
  context: Showing,
  query: ListVouchersQuery,
  { also, order, source }: { also: readonly Test[]; order: VoucherOrder; source: VoucherSource },
): Promise<BatchFilter | undefined> {
  const { category, created_at, updated_at, filters } = query;
  const isListed = 'list' in source;
  const tests: Test[] = [...also];
  if (category !== undefined) {
    const id = await findCategoryId(context, category);
    tests.push((one) => id !== undefined && findVoucherCategoryId(one) === id);
  }
  if (updated_at && !(isListed && source.owner.length === 1 && order.field === 'updated_at')) {
    tests.push(({ item }) => isWithin(updated_at, item.updated_at));
  }
  const filter = filters && compileFilter(voucherFilterFields, filters, context.project.schemas('voucher'));
  if (filter) tests.push((one) => filter(one, context.now));
  const isInTime = created_at && !(isListed && order.field === 'created_at');
  if (!isInTime && tests.length === 0) return undefined;
  return async (batch) => {
    const inTime = batch.map((entry) => !isInTime || isWithin(created_at, parseListedVoucher(entry).created_at));
    if (tests.length === 0) return inTime;
    const found = await readFiltered(context, batch, query);
    return found.map((one, index) => one !== undefined && inTime[index] === true && tests.every((test) => test(one)));
  };
}

/** Returns the place after the voucher of the cursor, in the order of creation. */
async function readCursor(
  { table, project }: Showing,
  { starting_after_id: id }: ListVouchersQuery,
  { order, source }: { order: VoucherOrder; source: VoucherSource },
): Promise<string | undefined> {
  if (id === undefined) return undefined;
  if (order.field !== 'created_at' || 'few' in source) {
    throw new ServiceError('invalid_query_params', {
      details: 'starting_after_id needs the order created_at, and neither code, customer nor ids',
    });
  }
  const { item } = await read(table, { item: vouchers(project.id, id) });
  if (!item) throw unknownCursor('voucher');
  return sortKey(item.created_at, id);
}

/** Lists vouchers. See docs/vouchers.md#voucher-list. */
export async function listVouchers(context: Showing, query: ListVouchersQuery) {
  const { table } = context;
  const order = vouchersListed.orderIn(query);
  const { source, also } = await findVoucherSource(context, query);
  const tests = also.map(
    (test): Test =>
      ({ item }) =>
        test(item),
  );
  const [behind, matches] = await Promise.all([
    readCursor(context, query, { order, source }),
    buildMatches(context, query, { also: tests, order, source }),
  ]);
  const offset = behind === undefined ? computeOffset(query) : 0;
  const wanted = { limit: query.limit, offset, behind, created: query.created_at, updated: query.updated_at, matches };
  const { page, total, next } = await readVoucherPage(context, source, order, wanted);
  const keys = page.map(({ key }) => key);
  const items = await readParsedPage(table, voucherItem, keys);
  const walksOn = order.field === 'created_at' && 'list' in source;
  return vouchersListed.show(await showVouchers(context, items), {
    total,
    ...(walksOn ? presentMore(next && parseListedVoucher(next).id) : { has_more: offset + page.length < total }),
  });
}
