import * as v from 'valibot';
import { findCampaignId } from '#engine/campaigns/find-campaign.ts';
import { findCustomerItem } from '#engine/customers/find-customer.ts';
import { described } from '#kernel/core/documented.ts';
import { reference } from '#kernel/core/schema.ts';
import type { Showing } from '#kernel/http/context.ts';
import { computeOffset, dateRange, pageQuery, readPageItems } from '#kernel/http/page.ts';
import { compileFilter, filterQuery } from '#kernel/kit/filters/filter.ts';
import { parseStored } from '#kernel/table/item.ts';
import type { BatchFilter } from '#kernel/table/list-page.ts';
import { type Entry, sortKey, toRange } from '#kernel/table/listing.ts';
import { parseOrder, readSourcePage, type Source } from '#kernel/table/source-page.ts';
import { showRedemptions } from './present-redemption.ts';
import {
  type ListedRedemption,
  listedRedemption,
  placeRedemptionIn,
  type RedemptionOrder,
  redemptionFields,
  redemptionItem,
  redemptionLists,
  redemptions,
} from './redemption.ts';

const orders = ['created_at', 'id', 'voucher_code', 'tracking_id', 'customer_id'] as const;

const oneResult = v.picklist(['SUCCESS', 'FAILURE']);

export const listRedemptionsQuery = v.object({
  ...pageQuery,
  order: described(
    v.optional(v.picklist(orders.flatMap((order) => [order, `-${order}`] as const)), '-created_at'),
    'The field to sort by. A leading dash means descending.',
  ),
  result: described(
    v.optional(v.array(oneResult)),
    'Only redemptions with this result. The parameter can be repeated.',
  ),
  campaign: described(v.optional(reference), 'Only redemptions from the campaign with this name or id.'),
  customer: described(v.optional(reference), 'Only redemptions by the customer with this id or source id.'),
  created_at: described(dateRange, 'Only redemptions created strictly before, or after.'),
  filters: v.optional(filterQuery(redemptionFields)),
});

export type ListRedemptionsQuery = v.InferOutput<typeof listRedemptionsQuery>;

const listedOf = ({ listed }: Entry): ListedRedemption => parseStored(listedRedemption, listed);

type Test = (one: ListedRedemption) => boolean;

interface Narrowed {
  readonly source: Source<RedemptionOrder>;
  /** Filters for the rest of the query. */
  readonly also: readonly Test[];
}

const byTime = ['created_at'] as const;

/** Returns the narrowest named source. A missing name gives an empty source. */
async function sourceOf(context: Showing, query: ListRedemptionsQuery, order: RedemptionOrder): Promise<Narrowed> {
  const { project } = context;
  const { created_at, ...named } = query;
  const [customer, campaign] = await Promise.all([
    named.customer === undefined ? undefined : findCustomerItem(context, named.customer),
    named.campaign === undefined ? undefined : findCampaignId(context, named.campaign),
  ]);
  if (named.customer !== undefined && !customer) return { source: { few: [] }, also: [] };
  if (named.campaign !== undefined && campaign === undefined) return { source: { few: [] }, also: [] };
  const lists = redemptionLists;
  const within = toRange(created_at ?? {});
  const isWithin: Test = ({ date }) =>
    (created_at?.after === undefined || date > created_at.after) &&
    (created_at?.before === undefined || date < created_at.before);
  if (customer) {
    const { id } = customer;
    const ofCampaign: Test = ({ related_object_parent_id }) => related_object_parent_id === campaign;
    const bounds = { from: `${sortKey(id)}#`, to: `${sortKey(id)}$` };
    const kept = ['created_at', 'customer_id'] as const;
    const source = { list: lists.customer_id, owner: [project.id] as const, bounds, orders: kept };
    return { source, also: [isWithin, ...(campaign === undefined ? [] : [ofCampaign])] };
  }
  if (campaign !== undefined) {
    const list = lists.ofCampaign;
    return {
      source: { list, counted: list, owner: [project.id, campaign], bounds: within, orders: byTime },
      also: [],
    };
  }
  const owner = [project.id] as const;
  const counted = lists.created_at;
  if (order !== 'customer_id') {
    return { source: { list: counted, counted, owner, bounds: within, orders: byTime }, also: [] };
  }
  const source = { list: lists.customer_id, counted, owner, bounds: {}, orders: ['customer_id'] as const };
  return { source, also: created_at ? [isWithin] : [] };
}

function testsOf({ result, filters }: Pick<ListRedemptionsQuery, 'result' | 'filters'>, now: Date): Test[] {
  const filter = filters && compileFilter(redemptionFields, filters);
  return [
    ...(result?.length ? [(one: ListedRedemption) => result.includes(one.result)] : []),
    ...(filter ? [(one: ListedRedemption) => filter(one, now)] : []),
  ];
}

interface Wanted {
  readonly limit: number;
  readonly page: number;
  readonly order: string;
  readonly tests: readonly Test[];
}

/** Returns a page of the source, with the total. */
async function shownPage(context: Showing, source: Source<RedemptionOrder>, { tests, ...wanted }: Wanted) {
  const { table, project } = context;
  const fits = (one: ListedRedemption) => tests.every((test) => test(one));
  const matches: BatchFilter | undefined = tests.length > 0 ? (batch) => batch.map(listedOf).map(fits) : undefined;
  const { page, total, next } = await readSourcePage(table, source, parseOrder(orders, wanted.order), {
    placeIn: (field, entry) => placeRedemptionIn(field, listedOf(entry)),
    limit: wanted.limit,
    offset: computeOffset(wanted),
    matches,
  });
  const items = await readPageItems(
    table,
    page.map((entry) => redemptions(project.id, listedOf(entry).id)),
  );
  const all = items.map((item) => parseStored(redemptionItem, item));
  return { shown: await showRedemptions(context, all, { voucher: 'slim' }), total, has_more: next !== undefined };
}

/**
 * Lists redemptions. The orders of creation and customer cost a page and the keys before it, and campaigns and customers have an index.
 * Other filters examine the keys of 10,000, and other orders sort the newest 10,000.
 */
export async function listRedemptions(context: Showing, query: ListRedemptionsQuery) {
  const { field } = parseOrder(orders, query.order);
  const { source, also } = await sourceOf(context, query, field);
  const tests = [...also, ...testsOf(query, context.now)];
  const { shown, ...place } = await shownPage(context, source, { ...query, tests });
  return { object: 'list' as const, data_ref: 'redemptions' as const, redemptions: shown, ...place };
}

/** Lists the redemptions of a voucher or a tier, newest first. */
export function listRedemptionsOfObject(context: Showing, objectId: string, page: { limit: number; page: number }) {
  const source = {
    list: redemptionLists.ofObject,
    owner: [context.project.id, objectId] as const,
    bounds: {},
    orders: byTime,
  };
  return shownPage(context, source, { ...page, order: '-created_at', tests: [] });
}
