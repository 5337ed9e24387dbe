import * as v from 'valibot';
import { boundPeriod } from '#kernel/core/day-bounds.ts';
import { ServiceError } from '#kernel/core/errors.ts';
import type { Reading } from '#kernel/http/context.ts';
import { computeOffset, type Page, presentMore, readPageItems, unknownCursor } from '#kernel/http/page.ts';
import { again, retryOptimistically } from '#kernel/table/conflicts.ts';
import { commit } from '#kernel/table/effects.ts';
import { parseStored } from '#kernel/table/item.ts';
import type { ChildKind } from '#kernel/table/kind.ts';
import { type BatchFilter, readListPage } from '#kernel/table/list-page.ts';
import { sortKey } from '#kernel/table/listing.ts';
import { readChildren, readItemsOf } from '#kernel/table/read.ts';
import { compileFilter } from '../filters/filter.ts';
import { findResourceSchema } from './claims.ts';
import { createItem, findItem, itemOr404, removeItem, updateItem } from './item.ts';
import {
  type Item,
  type ListQuery,
  placeItemIn,
  presentResource,
  type Resource,
  type RootResource,
  type Values,
} from './shape.ts';

/** Creates, gets, lists, updates and removes a plain resource by its description alone. */

/**
 * Creates a resource, or changes the resource that the body names by an id, if the resource accepts the caller's own
 * ids. 409 `duplicate_found` if a unique value is in use, and 404 for an unknown id. `parentName` names its parent, 404
 * if that is missing.
 */
export async function createResource<R extends Resource>(
  context: Reading,
  resource: R,
  body: Values,
  parentName?: string,
): Promise<v.InferOutput<R['reply']>> {
  return presentResource(resource, await createItem(context, resource, body, { parentName }));
}

/** Returns a resource. 404 if it is missing. `name` is its id, or the caller's own if the resource allows it. */
export async function getResource<R extends Resource>(
  context: Reading,
  resource: R,
  name: string,
): Promise<v.InferOutput<R['reply']>> {
  return presentResource(resource, await itemOr404(context, resource, name));
}

/** Changes the sent fields. `null` clears optional fields, and metadata merges by key. Fails like `create`, or with 404. */
export async function updateResource<R extends Resource>(
  context: Reading,
  resource: R,
  name: string,
  body: Values,
  parentName?: string,
): Promise<v.InferOutput<R['reply']>> {
  return presentResource(resource, await updateItem(context, resource, name, body, parentName));
}

/** Removes a resource with its claims. 404 if it is missing. A caller must delete its children first. */
export async function removeResource(
  context: Reading,
  resource: Resource,
  name: string,
  parentName?: string,
): Promise<void> {
  await retryOptimistically(context.table, async () => {
    const before = await itemOr404(context, resource, name, parentName);
    const done = await commit(context.table, removeItem(resource, context.project.id, before));
    return done || again;
  });
}

function compare(one: unknown, other: unknown): number {
  if (typeof one === 'number' && typeof other === 'number') return one - other;
  const [a, b] = [String(one ?? ''), String(other ?? '')];
  return a === b ? 0 : a < b ? -1 : 1;
}

/** Returns a page in the requested order, newest first by default. `total` of a long list lags by about a second. */
export async function listResources<R extends RootResource>(
  context: Reading,
  resource: R,
  query: ListQuery,
): Promise<v.InferOutput<R['listReply']>> {
  const { items, ...place } = await listItems(context, resource, query);
  return wrapResources(
    resource,
    items.map((item) => presentResource(resource, item)),
    place,
  );
}

/** Returns a page of stored items, for lists that show more. */
export async function listItems(context: Reading, resource: RootResource, query: ListQuery) {
  const page = { page: query.page, limit: query.limit ?? resource.unlimited };
  const order = query.order ?? `-${resource.orders[0]}`;
  const { filters, starting_after_id } = query;
  const { start_date, end_date } = boundPeriod(query, context.now);
  if (start_date && end_date && end_date < start_date)
    throw new ServiceError('invalid_query_params', { details: 'end_date must not be before start_date' });
  const ordered = { field: order.replace('-', ''), descending: order.startsWith('-'), start_date, end_date };
  const cursor = starting_after_id ? await cursorOf(context, resource, starting_after_id) : undefined;
  const wanted = { ...ordered, filters, cursor };
  const { items, total, next } = await (resource.number === 'few' ? fewOf : manyOf)(context, resource, page, wanted);
  return { items, total, offset: cursor ? 0 : computeOffset(page), next };
}

/** Finds the element after which a page begins. */
async function cursorOf(context: Reading, resource: RootResource, id: string): Promise<Item> {
  const item = await findItem(context, resource, { id });
  if (!item) throw unknownCursor(resource.name);
  return item;
}

interface Place {
  readonly offset: number;
  readonly total: number;
  /** The id of the element after which to continue, if the list can be walked. */
  readonly next?: { readonly id: string | undefined } | undefined;
}

export function wrapResources<R extends Resource>(
  { dataRef, listReply }: R,
  data: readonly unknown[],
  { offset, total, next }: Place,
): v.InferOutput<R['listReply']> {
  const place = next ? presentMore(next.id) : { has_more: offset + data.length < total };
  return v.parse(listReply, { object: 'list', data_ref: dataRef, [dataRef]: data, total, ...place });
}

interface Wanted extends Pick<ListQuery, 'start_date' | 'end_date' | 'filters'> {
  field: string;
  descending: boolean;
  cursor?: Item | undefined;
}

/** Returns whether the creation is between the dates, both included. */
function within({ start_date, end_date }: Wanted): (created: unknown) => boolean {
  return (created) => (!start_date || String(created) >= start_date) && (!end_date || String(created) <= end_date);
}

interface Found {
  items: Item[];
  total: number;
  next?: Place['next'];
}

/** Reads all resources of a kind that a project has few of, in one query. */
export function readFew<S extends v.GenericSchema>(
  { table, project }: Pick<Reading, 'table' | 'project'>,
  { few }: { readonly few: ChildKind<S, []> },
): Promise<v.InferOutput<S>[]> {
  return readChildren(table, few, project.id);
}

async function fewOf(context: Reading, resource: RootResource, query: Page, wanted: Wanted): Promise<Found> {
  const isWithin = within(wanted);
  const meets =
    wanted.filters && resource.filters
      ? compileFilter(resource.filters, wanted.filters, findResourceSchema(context.project, resource.name))
      : () => true;
  const items: Item[] = (await readFew(context, resource)).filter(
    (item) => isWithin(item.created_at) && meets(item, context.now),
  );
  const sorted = items.toSorted(
    (one, other) => compare(one[wanted.field], other[wanted.field]) || compare(one.id, other.id),
  );
  const offset = computeOffset(query);
  const ordered = wanted.descending ? sorted.reverse() : sorted;
  return { items: ordered.slice(offset, offset + query.limit), total: items.length };
}

/** Returns the test of a list's elements, or `undefined` if none is necessary. A filter reads each element. */
function matchesOf(
  { table, project, now }: Reading,
  resource: RootResource,
  wanted: Wanted,
  byDate: boolean,
): BatchFilter | undefined {
  const { filters, start_date, end_date } = wanted;
  const isWithin = within(wanted);
  const meets =
    filters && resource.filters
      ? compileFilter(resource.filters, filters, findResourceSchema(project, resource.name))
      : undefined;
  const isDated = byDate && Boolean(start_date || end_date);
  if (!meets && !isDated) return undefined;
  return async (batch) => {
    const inTime = batch.map(({ listed }) => !isDated || isWithin(listed.created_at));
    if (!meets) return inTime;
    const items = await readItemsOf(table, resource.many, batch);
    return items.map((item, index) => inTime[index] === true && item !== undefined && meets(item, now));
  };
}

async function manyOf(context: Reading, resource: RootResource, query: Page, wanted: Wanted): Promise<Found> {
  const { table, project } = context;
  const { start_date: from, end_date, descending, cursor } = wanted;
  const [counted] = resource.listings;
  const chosen = resource.listings.find(({ order }) => order === wanted.field) ?? counted;
  if (!chosen || !counted) throw new Error(`${resource.name} has no list`);
  const isByCreation = chosen.order === 'created_at';
  const {
    page: entries,
    total,
    next,
  } = await readListPage(
    table,
    { list: chosen.listing, counted: counted.listing, owner: [project.id] },
    {
      // The sign `$` sorts after `#`, which ends the date. In another order, dates are searched for.
      ...(isByCreation ? { from, to: end_date && `${end_date}$` } : {}),
      matches: matchesOf(context, resource, wanted, !isByCreation),
      behind: cursor && sortKey(...placeItemIn(chosen.order, cursor)),
      descending,
      limit: query.limit,
      offset: cursor ? 0 : computeOffset(query),
    },
  );
  const stored = await readPageItems(
    table,
    entries.map(({ key }) => key),
  );
  const there = stored.filter(({ deleted_at }) => deleted_at === undefined);
  return {
    items: there.map((item) => parseStored(resource.stored, item)),
    total,
    next: resource.filters && { id: next && String(next.listed.id) },
  };
}
