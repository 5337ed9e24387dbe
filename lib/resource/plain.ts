import * as v from 'valibot';
import type { Reading, Writing } from '../context.ts';
import { ServiceError } from '../errors.ts';
import { offsetOf, type Page, readPageItems } from '../http/page.ts';
import { retryOptimistically } from '../table/conflicts.ts';
import { commit } from '../table/effects.ts';
import { parseStored } from '../table/item.ts';
import type { ChildKind } from '../table/kind.ts';
import { readListPage } from '../table/list-page.ts';
import type { Entry } from '../table/listing.ts';
import { readChildren } from '../table/read.ts';
import { createItem, found, removing, updateItem } from './item.ts';
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
  const { start_date, end_date } = query;
  if (start_date && end_date && end_date < start_date)
    throw new ServiceError('invalid_query_params', { details: 'end_date must not be before start_date' });
  const wanted = { field: order.replace('-', ''), descending: order.startsWith('-'), start_date, end_date };
  const { items, total } = await (resource.number === 'few' ? fewOf : manyOf)(context, resource, page, wanted);
  return { items, total, offset: offsetOf(page) };
}

export function envelope<R extends Resource>(
  { dataRef, listReply }: R,
  data: readonly unknown[],
  { offset, total }: { offset: number; total: number },
): v.InferOutput<R['listReply']> {
  const has_more = offset + data.length < total;
  return v.parse(listReply, { object: 'list', data_ref: dataRef, [dataRef]: data, total, has_more });
}

interface Wanted extends Pick<ListQuery, 'start_date' | 'end_date'> {
  field: string;
  descending: boolean;
}

/** Whether it was created between the dates, both included. */
function within({ start_date, end_date }: Wanted): (created: unknown) => boolean {
  return (created) => (!start_date || String(created) >= start_date) && (!end_date || String(created) <= end_date);
}

interface Found {
  items: Item[];
  total: number;
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

async function manyOf(context: Reading, resource: RootResource, query: Page, wanted: Wanted): Promise<Found> {
  const { table, project } = context;
  const { start_date: from, end_date, descending } = wanted;
  const [counted] = resource.listings;
  const chosen = resource.listings.find(({ order }) => order === wanted.field) ?? counted;
  if (!chosen || !counted) throw new Error(`${resource.name} has no list`);
  const isWithin = within(wanted);
  // `$` follows `#`, which follows the date. In another order, dates are looked for.
  const bounds =
    chosen.order === 'created_at'
      ? { from, to: end_date && `${end_date}$` }
      : from || end_date
        ? { matches: (batch: readonly Entry[]) => batch.map(({ listed }) => isWithin(listed.created_at)) }
        : {};
  const { page: entries, total } = await readListPage(
    table,
    { list: chosen.listing, counted: counted.listing, owner: [project.id] },
    { ...bounds, descending, limit: query.limit, offset: offsetOf(query) },
  );
  const stored = await readPageItems(
    table,
    entries.map(({ key }) => key),
  );
  const there = stored.filter(({ deleted_at }) => deleted_at === undefined);
  return { items: there.map((item) => parseStored(resource.stored, item)), total };
}
