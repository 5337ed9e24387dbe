import { hash } from 'node:crypto';
import type { Query } from './command.ts';
import type { Attributes } from './item.ts';
import { escapePart, type IndexName, type Key, keyOf, tableShape } from './keys.ts';
import type { Table } from './table.ts';

export type ListIndex = Extract<IndexName, `gsi${number}`>;

interface Options {
  /** The number of partitions for the fastest writer. DynamoDB accepts 1,000 writes a second in a partition. */
  shards?: number;
  /** The stream counts the list (`count-totals.ts`), because it is too long to be counted by reading. */
  counted?: boolean;
}

/** A list in the order of an index, with all elements of a project or of one parent. */
export interface Listing extends Required<Options> {
  readonly index: ListIndex;
  readonly name: string;
}

export function listing(index: ListIndex, name: string, { shards = 1, counted = false }: Options = {}): Listing {
  return { index, name, shards, counted };
}

/** The indexes of lists. An item is in at most four lists, each in a different index. */
export const listIndexes = { first: 'gsi1', second: 'gsi2', third: 'gsi3', fourth: 'gsi4' } as const;

/** The owner of a list: a project, or a parent in a project. */
export type Owner = readonly [projectId: string, ...parentIds: string[]];

const countedMark = 'COUNTED';

/** Returns the name of the list, which does not depend on its partitions. */
export function listName({ name, counted }: Listing, [projectId, ...parents]: Owner): string {
  return [projectId, counted ? countedMark : 'LIST', name, ...parents].map(escapePart).join('#');
}

/** Returns the counted list that an index partition belongs to, if any. */
export function findCountedList(partition: string): string | undefined {
  const [, mark] = partition.split('#');
  return mark === countedMark ? partition.slice(0, partition.lastIndexOf('#')) : undefined;
}

function partitionsOf(list: Listing, owner: Owner): string[] {
  return Array.from({ length: list.shards }, (_, shard) => `${listName(list, owner)}#${shard}`);
}

/** The digits of the largest safe integer. */
const integerDigits = 16;

/** DynamoDB accepts 1,024 bytes of sort key, for an order's value and an id. */
const maxSortedBytes = 480;

function cut(text: string): string {
  const bytes = Buffer.from(text);
  return bytes.length <= maxSortedBytes ? text : bytes.subarray(0, maxSortedBytes).toString();
}

/** Encodes values as a text that sorts like them: texts by bytes, integers by size, including negative integers. */
export function sortKey(...values: readonly (string | number)[]): string {
  return values
    .map((value) => {
      if (typeof value === 'string') return cut(value);
      const digits = (value < 0 ? Number.MAX_SAFE_INTEGER + value : value).toString().padStart(integerDigits, '0');
      return (value < 0 ? '-' : '0') + digits;
    })
    .join('#');
}

/** Returns the partition of a place. */
export function chooseShard({ shards }: Pick<Listing, 'shards'>, at: string): number {
  return shards === 1 ? 0 : hash('sha256', at, 'buffer').readUInt32BE() % shards;
}

/** Returns the attributes that put an item into a list. `order` ends with a unique value, such as the id. */
export function placeInList(list: Listing, owner: Owner, order: readonly (string | number)[]): Attributes {
  const at = sortKey(...order);
  return { [`${list.index}pk`]: `${listName(list, owner)}#${chooseShard(list, at)}`, [`${list.index}sk`]: at };
}

/** Returns the attributes that remove an item from a list. */
export function clearPlace({ index }: Listing): Attributes {
  return { [`${index}pk`]: undefined, [`${index}sk`]: undefined };
}

const placeNames: ReadonlySet<string> = new Set(
  Object.values(tableShape.indexes).flatMap(({ partitionKey, sortKey }) => [partitionKey, sortKey]),
);

/** Returns the item without its key and its places in lists. */
export function stripPlaces(item: Attributes): Attributes {
  const { [tableShape.partitionKey]: _, [tableShape.sortKey]: __, listed: ___, ...own } = item;
  return Object.fromEntries(Object.entries(own).filter(([name]) => !placeNames.has(name)));
}

/** Returns the bounds of an order that begins with a date. Both dates are excluded. */
export function toRange({ after, before }: { after?: string | undefined; before?: string | undefined }): Range {
  // The sign `$` sorts after `#`, which ends the date.
  return { from: after === undefined ? undefined : `${after}$`, to: before };
}

/** An element of a list, as its index has it. */
export interface Entry {
  readonly key: Key;
  /** The place in the order. */
  readonly at: string;
  /** The fields that orders and filters need. */
  readonly listed: Attributes;
}

export interface Range {
  descending?: boolean;
  /** Bounds of the places, both included. */
  from?: string | undefined;
  to?: string | undefined;
  /** The walk begins after this place, in its direction. */
  behind?: string | undefined;
}

/** Returns the least or the most of the places. `undefined` means unbounded. Places sort by bytes, as in DynamoDB. */
function outer(wanted: 'least' | 'most', ...places: readonly (string | undefined)[]): string | undefined {
  const sorted = places
    .filter((place) => place !== undefined)
    .sort((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other)));
  return sorted.at(wanted === 'least' ? 0 : -1);
}

function listedIn({ listed }: Attributes): Attributes {
  return typeof listed === 'object' && listed !== null ? { ...listed } : {};
}

/** Returns whether a place is in the range, for elements that `entries` does not read from an index. */
export function isInRange({ from, to, behind, descending = false }: Range, at: string): boolean {
  if (at === behind) return false;
  const [least, most] = descending ? [from, outer('least', to, behind)] : [outer('most', from, behind), to];
  return outer('least', at, least) === (least ?? at) && outer('most', at, most) === (most ?? at);
}

/** Estimates the most elements that one partition has of a page. Places are spread at random. A wrong guess costs another call. */
function ofEach({ shards }: Listing, elements: number): number {
  const mean = elements / shards;
  return Math.min(elements, Math.ceil(mean + 3 * Math.sqrt(mean)));
}

type Walk = Range & { atOnce?: number };

/**
 * Merges the partitions in order, with one call of each in memory. `only` names the attributes to read in addition to
 * the place.
 */
async function* merged(
  table: Pick<Table, 'pages'>,
  list: Listing,
  owner: Owner,
  { descending = false, atOnce, behind, only, ...range }: Walk & { only: readonly string[] },
): AsyncGenerator<{ at: string; item: Attributes }> {
  const place = `${list.index}sk`;
  const from = descending ? range.from : outer('most', range.from, behind);
  const to = descending ? outer('least', range.to, behind) : range.to;
  if (from !== undefined && to !== undefined && outer('least', from, to) !== from) return;
  const query = (partition: string): Query => ({
    index: list.index,
    partition,
    descending,
    only: [...only, place],
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
    ...(atOnce === undefined ? {} : { atOnce: ofEach(list, atOnce) }),
  });
  const walks = partitionsOf(list, owner).map((partition) => ({
    pages: table.pages(query(partition)),
    read: [] as { at: string; item: Attributes }[],
  }));
  const fill = async (walk: (typeof walks)[number]) => {
    if (walk.read.length > 0) return;
    const { value } = await walk.pages.next();
    walk.read = (value ?? []).map((item: Attributes) => ({ at: String(item[place]), item }));
  };
  for (;;) {
    await Promise.all(walks.map(fill));
    const [next] = walks
      .filter(({ read }) => read.length > 0)
      .sort(({ read: [a] }, { read: [b] }) => ((a?.at ?? '') < (b?.at ?? '') === descending ? 1 : -1));
    const element = next?.read.shift();
    if (!element) return;
    if (element.at !== behind) yield element;
  }
}

/** Walks over a list in its order. */
export async function* walkList(
  table: Pick<Table, 'pages'>,
  list: Listing,
  owner: Owner,
  walk: Walk = {},
): AsyncGenerator<Entry> {
  const only = [tableShape.partitionKey, tableShape.sortKey, 'listed'];
  for await (const { at, item } of merged(table, list, owner, { ...walk, only }))
    yield { key: keyOf(item), at, listed: listedIn(item) };
}

/** Walks like `entries`, with only these listed fields. Keys are most of the data of hundreds of elements. */
export async function* walkListedFields(
  table: Pick<Table, 'pages'>,
  list: Listing,
  owner: Owner,
  { fields, ...walk }: Walk & { fields: readonly string[] },
): AsyncGenerator<Attributes> {
  const only = fields.map((field) => `listed.${field}`);
  for await (const { item } of merged(table, list, owner, { ...walk, only })) yield listedIn(item);
}

/** Lists up to this length are counted by reading. The stream counts longer lists (`count-totals.ts`). */
const countedByReading = 100;

/**
 * Returns a page, and the length of the list if the read reached its end. Also reads the keys before the page, at most
 * 10,000, because `limit` and `page` are at most 100.
 */
export async function readPage(
  table: Pick<Table, 'pages'>,
  list: Listing,
  owner: Owner,
  { offset, limit, ...range }: Range & { offset: number; limit: number },
): Promise<{ page: Entry[]; length: number | undefined }> {
  const page: Entry[] = [];
  const enough = Math.max(offset + limit, countedByReading);
  let place = 0;
  for await (const entry of walkList(table, list, owner, { ...range, atOnce: enough + 1 })) {
    if (place >= enough) return { page, length: undefined };
    if (place >= offset && place < offset + limit) page.push(entry);
    place += 1;
  }
  return { page, length: place };
}

/** Reads a whole list of tens or hundreds of elements in one call, such as the tiers of a campaign. */
export async function readAll(table: Pick<Table, 'pages'>, list: Listing, owner: Owner): Promise<Entry[]> {
  const all: Entry[] = [];
  for await (const entry of walkList(table, list, owner)) all.push(entry);
  return all;
}

/** Returns the last parent that owns the list that contains the item, or `undefined` if the item is in no such list. */
export function readListParent({ index, name }: Listing, item: Attributes): string | undefined {
  const [, , listed, ...parents] = String(item[`${index}pk`] ?? '').split('#');
  return listed === name ? parents.at(-2) : undefined;
}
