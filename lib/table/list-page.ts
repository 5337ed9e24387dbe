import { inBatches } from './batches.ts';
import { type Entry, entries, type Listing, type Owner, type Range, readPage } from './listing.ts';
import type { Table } from './table.ts';
import { totalOf } from './totals.ts';

/** So many elements a request looks at for those that it wants: as many as come before the last page of any list. */
export const maxWalked = 10_000;

/** So long a request looks for them: what it answers then is well within what a function has, on a table however slow. */
export const maxWalkInMs = 6_000;

/** Read in one call of a partition, and tested at once. */
const walkedAtOnce = 250;

/** So many elements of one moment make a page that cannot be split. */
const maxOfMoment = 1_000;

/** Of each of these elements, whether it is wanted: by what the index has of them, or after reading them. */
export type Matches<E = Entry> = (batch: readonly E[]) => readonly boolean[] | Promise<readonly boolean[]>;

/** With `behind` the page begins behind that place, and has no offset. */
export interface Wanted<E = Entry> extends Range {
  limit: number;
  offset: number;
  matches?: Matches<E> | undefined;
  /** How many elements may be looked at, where each has to be read. */
  atMost?: number;
  /** How long they may be looked at; at least one batch of them is. */
  atMostInMs?: number;
  /** A page ends between two moments: who goes on behind the last one loses none. */
  momentOf?: ((entry: E) => string) | undefined;
}

export interface ListPage<E = Entry> {
  page: E[];
  /** All that are wanted, whatever the page; where the walk had to stop, those up to there. */
  total: number;
  /** There may be more, behind this element: the last of the page, or the last that was looked at. */
  next: E | undefined;
}

interface Walk<E> {
  looked: number;
  last: E | undefined;
  stopped: boolean;
}

type Bounds = Required<Pick<Wanted, 'atMost' | 'atMostInMs'>>;

async function* bounded<E>(source: AsyncIterable<E>, walk: Walk<E>, { atMost, atMostInMs }: Bounds): AsyncGenerator<E> {
  const endsAt = performance.now() + atMostInMs;
  for await (const entry of source) {
    if (walk.looked === atMost || (walk.looked >= walkedAtOnce && performance.now() > endsAt)) {
      walk.stopped = true;
      return;
    }
    walk.looked += 1;
    walk.last = entry;
    yield entry;
  }
}

async function* matching<E>(source: AsyncIterable<E>, matches: Matches<E>): AsyncGenerator<E> {
  for await (const batch of inBatches(source, walkedAtOnce)) {
    const wanted = await matches(batch);
    for (const [index, entry] of batch.entries()) if (wanted[index]) yield entry;
  }
}

/** Gathers a page, and whether anything comes after it. */
async function gather<E>(
  source: AsyncIterable<E>,
  { limit, momentOf }: Pick<Wanted<E>, 'limit' | 'momentOf'>,
): Promise<{ page: E[]; more: boolean }> {
  const page: E[] = [];
  for await (const entry of source) {
    if (page.length < limit) {
      page.push(entry);
      continue;
    }
    const moment = momentOf?.(entry);
    const [first, last] = [page[0], page.at(-1)].map((one) => one && momentOf?.(one));
    if (moment === undefined || moment !== last) return { page, more: true };
    if (first !== last) return { page: page.filter((one) => momentOf?.(one) !== last), more: true };
    if (page.length === maxOfMoment) return { page, more: true };
    page.push(entry);
  }
  return { page, more: false };
}

/** Goes through all that are wanted, keeping the page. */
async function count<E>(source: AsyncIterable<E>, { limit, offset }: Pick<Wanted, 'limit' | 'offset'>) {
  const page: E[] = [];
  let total = 0;
  for await (const entry of source) {
    if (total >= offset && page.length < limit) page.push(entry);
    total += 1;
  }
  return { page, total };
}

/**
 * A page of what is wanted of elements in their order, and how many there are of those. Looks at no more than `atMost` elements,
 * and no longer than `atMostInMs`: it costs the same however many more there are.
 */
export async function filteredPage<E>(
  source: (range: Range) => AsyncIterable<E>,
  wanted: Wanted<E>,
): Promise<ListPage<E>> {
  const { limit, offset, from, to, behind, descending = false, matches, momentOf } = wanted;
  const { atMost = maxWalked, atMostInMs = maxWalkInMs } = wanted;
  const whole = { from, to, descending };
  const walk = (range: Range) => {
    const state: Walk<E> = { looked: 0, last: undefined, stopped: false };
    const all = bounded(source(range), state, { atMost, atMostInMs });
    return { state, found: matches ? matching(all, matches) : all };
  };
  const counted = walk(whole);
  if (behind === undefined) {
    const { page, total } = await count(counted.found, { limit, offset });
    const next = total > offset + page.length && page.length > 0 ? page.at(-1) : undefined;
    return { page, total, next: next ?? (counted.state.stopped ? counted.state.last : undefined) };
  }
  const paged = walk({ ...whole, behind });
  const [{ page, more }, { total }] = await Promise.all([
    gather(paged.found, { limit, momentOf }),
    count(counted.found, { limit: 0, offset: 0 }),
  ]);
  return { page, total, next: more ? page.at(-1) : paged.state.stopped ? paged.state.last : undefined };
}

/** How many elements a list has: exact for short ones, else as counted behind the writes. */
export async function listLength(table: Pick<Table, 'pages' | 'get'>, list: Listing, owner: Owner): Promise<number> {
  return totalOf(table, list, owner, await readPage(table, list, owner, { offset: 0, limit: 0 }));
}

/**
 * A page of a list in the order of its index, with how many it has. `counted`: the list whose length is counted behind the
 * writes. Without a filter it costs the keys before the page, with a cursor the page alone; with bounds or a filter, a walk.
 */
export async function readListPage(
  table: Pick<Table, 'pages' | 'get'>,
  { list, counted = list, owner }: { list: Listing; counted?: Listing; owner: Owner },
  wanted: Wanted,
): Promise<ListPage> {
  const { limit, offset, behind, descending = false, matches, momentOf } = wanted;
  if (matches || wanted.from !== undefined || wanted.to !== undefined) {
    return filteredPage((range) => entries(table, list, owner, { ...range, atOnce: walkedAtOnce }), wanted);
  }
  if (behind === undefined) {
    const { page: found, length } = await readPage(table, list, owner, { descending, offset, limit: limit + 1 });
    const page = found.slice(0, limit);
    const total = await totalOf(table, counted, owner, { length });
    return { page, total, next: found.length > limit ? page.at(-1) : undefined };
  }
  const rest = entries(table, list, owner, { descending, behind, atOnce: limit + 2 });
  const [{ page, more }, total] = await Promise.all([
    gather(rest, { limit, momentOf }),
    listLength(table, counted, owner),
  ]);
  return { page, total, next: more ? page.at(-1) : undefined };
}
