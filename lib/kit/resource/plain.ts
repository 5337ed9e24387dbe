import * as v from 'valibot';
import { ServiceError } from '../../core/errors.ts';
import type { Reading, Writing } from '../../http/context.ts';
import { more, offsetOf, type Page, readPageItems, unknownCursor } from '../../http/page.ts';
import { retryOptimistically } from '../../table/conflicts.ts';
import { commit } from '../../table/effects.ts';
import { parseStored } from '../../table/item.ts';
import type { ChildKind } from '../../table/kind.ts';
import { type Matches, readListPage } from '../../table/list-page.ts';
import { sortKey } from '../../table/listing.ts';
import { readChildren } from '../../table/read.ts';
import { compileFilter } from '../filters/filter.ts';
import { createItem, find, found, removing, updateItem } from './item.ts';
import { placeIn } from './places.ts';
import { type Item, type ListQuery, present, type Resource, type RootResource, type Values } from './shape.ts';

/** The five use cases of a plain resource: create, get, list, update and remove, by its description alone. */

/**
 * 409 `duplicate_found` where a unique field is another's. Where the caller's own id is as good as the id, changes the one that
 * the body names, 404 for an id that nobody has. `parentName`: whose child it is, as a path names it; 404 where that is not there.
 */
export async function create<R extends Resource>(
  context: Writing,
  resource: R,
  body: Values,
  parentName?: string,
): Promise<v.InferOutput<R['reply']>> {
  return present(resource, await createItem(context, resource, body, parentName));
}

/** 404 where it is not there. `name`: its id, or the caller's own where that is as good. */
export async function get<R extends Resource>(
  context: Reading,
  resource: R,
  name: string,
): Promise<v.InferOutput<R['reply']>> {
  return present(resource, await found(context, resource, name));
}

/** Changes what is sent; `null` clears what the resource may be without, metadata is merged by key. Errors as of `create`, and 404. */
export async function update<R extends Resource>(
  context: Writing,
  resource: R,
  name: string,
  body: Values,
  parentName?: string,
): Promise<v.InferOutput<R['reply']>> {
  return present(resource, await updateItem(context, resource, name, body, parentName));
}

/** Takes it away with its claims; 404 where it is not there. Whoever has children of it deletes them first. */
export async function remove(context: Writing, resource: Resource, name: string, parentName?: string): Promise<void> {
  await retryOptimistically(context.table, async () => {
    const before = await found(context, resource, name, parentName);
    const done = await commit(context.table, removing(resource, context.project.id, before));
    return done || undefined;
  });
}

function compare(one: unknown, other: unknown): number {
  if (typeof one === 'number' && typeof other === 'number') return one - other;
  const [a, b] = [String(one ?? ''), String(other ?? '')];
  return a === b ? 0 : a < b ? -1 : 1;
}

/** A page in the order asked for, newest first without one. `total` of a long list lags by about a second. */
export async function list<R extends RootResource>(
  context: Reading,
  resource: R,
  query: ListQuery,
): Promise<v.InferOutput<R['listReply']>> {
  const { items, ...place } = await listItems(context, resource, query);
  return envelope(
    resource,
    items.map((item) => present(resource, item)),
    place,
  );
}

/** The same as stored, for lists that show more. */
export async function listItems(context: Reading, resource: RootResource, query: ListQuery) {
  const page = { page: query.page, limit: query.limit ?? resource.unlimited };
  const order = query.order ?? `-${resource.orders[0]}`;
  const { start_date, end_date, filters, starting_after_id } = query;
  if (start_date && end_date && end_date < start_date)
    throw new ServiceError('invalid_query_params', { details: 'end_date must not be before start_date' });
  const ordered = { field: order.replace('-', ''), descending: order.startsWith('-'), start_date, end_date };
  const cursor = starting_after_id ? await cursorOf(context, resource, starting_after_id) : undefined;
  const wanted = { ...ordered, filters, cursor };
  const { items, total, next } = await (resource.number === 'few' ? fewOf : manyOf)(context, resource, page, wanted);
  return { items, total, offset: cursor ? 0 : offsetOf(page), next };
}

/** The element that a page begins behind. */
async function cursorOf(context: Reading, resource: RootResource, id: string): Promise<Item> {
  const item = await find(context, resource, { id });
  if (!item) throw unknownCursor(resource.name);
  return item;
}

interface Place {
  readonly offset: number;
  readonly total: number;
  /** Of a list that can be walked: the id of the element to go on behind. */
  readonly next?: { readonly id: string | undefined } | undefined;
}

export function envelope<R extends Resource>(
  { dataRef, listReply }: R,
  data: readonly unknown[],
  { offset, total, next }: Place,
): v.InferOutput<R['listReply']> {
  const place = next ? more(next.id) : { has_more: offset + data.length < total };
  return v.parse(listReply, { object: 'list', data_ref: dataRef, [dataRef]: data, total, ...place });
}

interface Wanted extends Pick<ListQuery, 'start_date' | 'end_date' | 'filters'> {
  field: string;
  descending: boolean;
  cursor?: Item | undefined;
}

/** Whether it was created between the dates, both included. */
function within({ start_date, end_date }: Wanted): (created: unknown) => boolean {
  return (created) => (!start_date || String(created) >= start_date) && (!end_date || String(created) <= end_date);
}

interface Found {
  items: Item[];
  total: number;
  next?: Place['next'];
}

/** Every one of a resource that a project has few of, in one query. */
export function all<S extends v.GenericSchema>(
  { table, project }: Pick<Reading, 'table' | 'project'>,
  { few }: { readonly few: ChildKind<S, []> },
): Promise<v.InferOutput<S>[]> {
  return readChildren(table, few, project.id);
}

async function fewOf(context: Reading, resource: RootResource, query: Page, wanted: Wanted): Promise<Found> {
  const isWithin = within(wanted);
  const items: Item[] = (await all(context, resource)).filter(({ created_at }) => isWithin(created_at));
  const sorted = items.toSorted(
    (one, other) => compare(one[wanted.field], other[wanted.field]) || compare(one.id, other.id),
  );
  const offset = offsetOf(query);
  const ordered = wanted.descending ? sorted.reverse() : sorted;
  return { items: ordered.slice(offset, offset + query.limit), total: items.length };
}

/** What the list does not know of its elements is read of each, and looked for. */
function matchesOf(
  { table, now }: Reading,
  resource: RootResource,
  wanted: Wanted,
  byDate: boolean,
): Matches | undefined {
  const { filters, start_date, end_date } = wanted;
  const isWithin = within(wanted);
  const meets = filters && resource.filters ? compileFilter(resource.filters, filters) : undefined;
  const isDated = byDate && Boolean(start_date || end_date);
  if (!meets && !isDated) return undefined;
  return async (batch) => {
    const inTime = batch.map(({ listed }) => !isDated || isWithin(listed.created_at));
    if (!meets) return inTime;
    const items = await table.getMany(batch.map(({ key }) => key));
    return items.map(
      (item, index) => inTime[index] === true && item !== undefined && meets(parseStored(resource.stored, item), now),
    );
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
      // `$` follows `#`, which follows the date. In another order, dates are looked for.
      ...(isByCreation ? { from, to: end_date && `${end_date}$` } : {}),
      matches: matchesOf(context, resource, wanted, !isByCreation),
      behind: cursor && sortKey(...placeIn(chosen.order, cursor)),
      descending,
      limit: query.limit,
      offset: cursor ? 0 : offsetOf(query),
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
