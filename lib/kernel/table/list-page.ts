import { splitIntoBatches } from './batches.ts';
import { type Entry, type Listing, type Owner, type Range, readPage, walkList } from './listing.ts';
import type { Table } from './table.ts';
import { readTotal } from './totals.ts';

/** Limits the elements that a request examines. It equals the elements before the last page of any list. */
export const maxWalked = 10_000;

/** Limits the time of the search, so that even a slow table allows a reply in time. */
const maxWalkInMs = 6_000;

/** Elements that one call reads and one test examines. */
const walkedAtOnce = 250;

/** Limits the elements of one moment. A page cannot be split within a moment. */
const maxOfMoment = 1_000;

/** Returns for each element whether it matches, by its index entry or after a read. */
export type BatchFilter<E = Entry> = (batch: readonly E[]) => readonly boolean[] | Promise<readonly boolean[]>;

/** Selects a page. The option `behind` begins the page after that place, without an offset. */
export interface WantedPage<E = Entry> extends Range {
  limit: number;
  offset: number;
  matches?: BatchFilter<E> | undefined;
  /** Limits the examined elements if each must be read. */
  atMost?: number;
  /** Limits the time. At least one batch is examined. */
  atMostInMs?: number;
  /** Ends the page between two moments, so that a cursor after the last moment skips no element. */
  momentOf?: ((entry: E) => string) | undefined;
}

export interface ListPage<E = Entry> {
  page: E[];
  /** Counts all matching elements, or those up to the end of the walk. */
  total: number;
  /** More elements may follow this element: the last of the page, or the last examined. */
  next: E | undefined;
}

interface Walk<E> {
  looked: number;
  last: E | undefined;
  stopped: boolean;
}

type Bounds = Required<Pick<WantedPage, 'atMost' | 'atMostInMs'>>;

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

async function* matching<E>(source: AsyncIterable<E>, matches: BatchFilter<E>): AsyncGenerator<E> {
  for await (const batch of splitIntoBatches(source, walkedAtOnce)) {
    const wanted = await matches(batch);
    for (const [index, entry] of batch.entries()) if (wanted[index]) yield entry;
  }
}

/** Gathers a page, and notes whether more elements follow. */
async function gather<E>(
  source: AsyncIterable<E>,
  { limit, momentOf }: Pick<WantedPage<E>, 'limit' | 'momentOf'>,
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

/** Walks over all matching elements, and keeps the page. */
async function count<E>(source: AsyncIterable<E>, { limit, offset }: Pick<WantedPage, 'limit' | 'offset'>) {
  const page: E[] = [];
  let total = 0;
  for await (const entry of source) {
    if (total >= offset && page.length < limit) page.push(entry);
    total += 1;
  }
  return { page, total };
}

/**
 * Returns a page of the matching elements, and their number. Examines at most `atMost` elements, for at most `atMostInMs`, so that
 * the cost does not grow with the list.
 */
export async function readFilteredPage<E>(
  source: (range: Range) => AsyncIterable<E>,
  wanted: WantedPage<E>,
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

/** Returns the length of a list: exact for short lists, else the total that the stream counts. */
export async function readListLength(
  table: Pick<Table, 'pages' | 'get'>,
  list: Listing,
  owner: Owner,
): Promise<number> {
  return readTotal(table, list, owner, await readPage(table, list, owner, { offset: 0, limit: 0 }));
}

/**
 * Returns a page of a list in the order of its index, and the list's length. `counted` is the list whose length the stream counts.
 * Reads the keys of the page and all keys before it. With a cursor it reads only the keys of the page. Bounds or a filter cost a walk.
 */
export async function readListPage(
  table: Pick<Table, 'pages' | 'get'>,
  { list, counted = list, owner }: { list: Listing; counted?: Listing; owner: Owner },
  wanted: WantedPage,
): Promise<ListPage> {
  const { limit, offset, behind, descending = false, matches, momentOf } = wanted;
  if (matches || wanted.from !== undefined || wanted.to !== undefined) {
    return readFilteredPage((range) => walkList(table, list, owner, { ...range, atOnce: walkedAtOnce }), wanted);
  }
  if (behind === undefined) {
    const { page: found, length } = await readPage(table, list, owner, { descending, offset, limit: limit + 1 });
    const page = found.slice(0, limit);
    const total = await readTotal(table, counted, owner, { length });
    return { page, total, next: found.length > limit ? page.at(-1) : undefined };
  }
  const rest = walkList(table, list, owner, { descending, behind, atOnce: limit + 2 });
  const [{ page, more }, total] = await Promise.all([
    gather(rest, { limit, momentOf }),
    readListLength(table, counted, owner),
  ]);
  return { page, total, next: more ? page.at(-1) : undefined };
}
