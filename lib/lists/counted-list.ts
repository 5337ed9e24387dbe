import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import { type Attributes, parseStored, type Table, type TransactionOutcome, type Write } from '../dynamodb.ts';
import { count } from '../schema.ts';
import { behindEntries, behindSegments, listKeys, placeOf } from '../table.ts';
import { UpdateExpression } from '../update-expression.ts';

/**
 * An ordered list in one partition, of which any page costs about a page and whose total is exact, however long it is.
 *
 * An entry leads to an element, in the order of the element's place. Segments divide the places into ranges and count the
 * entries of each, so that the one in which a page begins is found by adding up counts. The head has the total. All of
 * them move in the transaction that writes the element.
 */

/** A way of an element through one list: into it without `from`, out of it without `to`. Places are unique in a list. */
export interface Move {
  list: string;
  id: string;
  from?: string | undefined;
  to?: string | undefined;
}

/** A longer segment is divided: what a page reads in vain is less than this. */
export const maxSegment = 128;
/** A segment this short is looked at, whether it could join one beside it: now and then, as it gets shorter. */
const shortSegment = maxSegment / 4;
const looksEvery = 8;

/** Where an element stands in a list. */
export interface Place {
  list: string;
  at: string;
}

/** By which attributes an element stands where. */
export interface Listing {
  /** All that its places depend on: a write that changes one of them moves the element in the same transaction. */
  by: readonly string[];
  placesOf: (element: Attributes) => Place[];
}

/** What leads from the one places of an element to the others. */
export function movesBetween(id: string, before: readonly Place[], after: readonly Place[]): Move[] {
  const from = new Map(before.map(({ list, at }) => [list, at]));
  const to = new Map(after.map(({ list, at }) => [list, at]));
  return [...new Set([...from.keys(), ...to.keys()])]
    .map((list) => ({ list, id, from: from.get(list), to: to.get(list) }))
    .filter((move) => move.from !== move.to);
}

/** How often moves are planned anew because a segment was divided or joined meanwhile. */
const maxRounds = 30;

const headItem = v.object({ total: count });
const entryItem = v.object({ id: v.string() });

const segmentItem = v.object({
  count: v.number(),
  /** Grows with every entry that comes or goes: while it stands, the entries are the same. */
  changes: count,
  /** Another one after every division: while it stands, the range has not become smaller. */
  edition: v.string(),
});

interface Segment extends v.InferOutput<typeof segmentItem> {
  from: string;
}

function segmentOf(item: Attributes): Segment {
  return { ...parseStored(segmentItem, item), from: placeOf(item) };
}

/** A segment with so many entries. */
export function newSegment(size: number) {
  return { count: size, changes: 0, edition: randomUUID() };
}

/** Up to `limit` segments from that of the place on, to the front or to the end; a list without elements has none. */
async function segmentsAt(table: Table, list: string, place: string, limit: number, toEnd = false) {
  const here = listKeys.segment(list, place).sk;
  const range = toEnd
    ? { from: here, to: behindSegments }
    : { from: listKeys.segment(list, '').sk, to: here, descending: true };
  return (await table.query({ partition: list, ...range, limit })).map(segmentOf);
}

/** A segment, and by how much the entries in it become more. */
interface Tally {
  list: string;
  /** `undefined` where the list is not there yet. */
  segment: Segment | undefined;
  delta: number;
}

function counted({ list, segment, delta }: Tally): Write {
  if (!segment) return { key: listKeys.segment(list, ''), insert: newSegment(delta) };
  const change = new UpdateExpression().add('count', delta).add('changes', 1).whenStill('edition', segment.edition);
  return { key: listKeys.segment(list, segment.from), change: change.build() };
}

/** What the list becomes longer by; a list gets its head with its first segment. */
function totalled(list: string, tallies: readonly Tally[]): Write[] {
  const key = listKeys.head(list);
  const delta = tallies.reduce((sum, tally) => sum + tally.delta, 0);
  if (tallies.some(({ segment }) => segment === undefined)) return [{ key, insert: { total: delta } }];
  if (delta === 0) return [];
  return [{ key, change: new UpdateExpression().add('total', delta).whenThere().build() }];
}

interface Plan {
  entries: Write[];
  /** Of segments and heads: these are refused where another move came first, and hold after a new plan. */
  counters: Write[];
  /** Segments that have become too long or rather short by it. */
  untidy: { list: string; place: string }[];
}

/** The parts of a transaction that make the moves, each item in one part; nothing if its reads saw different segments. */
async function plan(table: Table, moves: readonly Move[]): Promise<Plan | undefined> {
  const steps = moves.flatMap(({ list, id, from, to }) => {
    if (from === to) return [];
    const leaving = new UpdateExpression().whenStill('id', id).build();
    return [
      ...(from === undefined
        ? []
        : [{ list, place: from, delta: -1, write: { key: listKeys.entry(list, from), remove: leaving } }]),
      ...(to === undefined
        ? []
        : [{ list, place: to, delta: 1, write: { key: listKeys.entry(list, to), insert: { id } } }]),
    ];
  });
  const tallies = new Map<string, Tally>();
  const found = await Promise.all(steps.map(({ list, place }) => segmentsAt(table, list, place, 1)));
  for (const [index, { list, delta }] of steps.entries()) {
    const segment = found[index]?.[0];
    const name = `${list}\n${segment?.from ?? ''}`;
    const before = tallies.get(name);
    if (before && before.segment?.edition !== segment?.edition) return undefined;
    tallies.set(name, { list, segment, delta: (before?.delta ?? 0) + delta });
  }
  const all = [...tallies.values()];
  return {
    entries: steps.map(({ write }) => write),
    counters: [
      ...all.map(counted),
      ...[...Map.groupBy(all, ({ list }) => list)].flatMap(([list, own]) => totalled(list, own)),
    ],
    untidy: all.flatMap(({ list, segment, delta }) => {
      const size = (segment?.count ?? 0) + delta;
      const looks = Math.ceil(size / looksEvery) < Math.ceil((size - delta) / looksEvery);
      const isShort = size <= shortSegment && looks;
      return size > maxSegment || isShort ? [{ list, place: segment?.from ?? '' }] : [];
    }),
  };
}

/**
 * All writes and moves, or none, whatever else moves in the lists at the same time. Refused, it tells of the caller's writes
 * what `Table.transact` does; where none of them failed, an element was not in the place from which it was to move, or too
 * much else moved: to be thought through anew.
 */
export async function transactWithMoves(
  table: Table,
  writes: readonly Write[],
  moves: readonly Move[],
): Promise<TransactionOutcome> {
  for (let round = 0; round < maxRounds; round++) {
    const planned = await plan(table, moves);
    if (!planned) continue;
    const own = [...writes, ...planned.entries];
    if (own.length === 0) return { done: true };
    const outcome = await table.transact([...own, ...planned.counters]);
    if (outcome.done) {
      // What was asked for is done: whatever keeps us from tidying up is left to the next change.
      for (const { list, place } of planned.untidy) await tidy(table, list, place).catch(() => {});
      return outcome;
    }
    const refused = outcome.refused.slice(0, own.length);
    if (refused.some(({ failed }) => failed)) return { done: false, refused: refused.slice(0, writes.length) };
  }
  return { done: false, refused: writes.map(() => ({ failed: false, item: undefined })) };
}

/** A change of the segment, or its end, while its entries are the same. */
function whileUnchanged({ changes, edition }: Segment): UpdateExpression {
  return new UpdateExpression().whenStill('changes', changes).whenStill('edition', edition);
}

/**
 * Divides the segment of the place if it is too long, or joins it with one beside it if both are short. Does nothing where
 * another change comes between: the next one tidies up.
 */
async function tidy(table: Table, list: string, place: string, patience = 2): Promise<void> {
  const [before, own, next] = await around(table, list, place);
  if (!own) return;
  if (own.count <= maxSegment) {
    if (before && areShort(before, own)) await join(table, list, before, own);
    else if (next && areShort(own, next)) await join(table, list, own, next);
    return;
  }
  const entries = (await table.query({ partition: list, ...entriesOf(list, own, next) })).map(placeOf);
  const places = next ? entries.filter((one) => one < next.from) : entries;
  // A query can meet a transaction half applied, a moment long. A difference that stays is one to be put right.
  if (places.length !== own.count && patience > 0) return tidy(table, list, place, patience - 1);
  const kept = maxSegment / 2;
  const pivot = places[kept];
  if (pivot === undefined) return;
  const lower = whileUnchanged(own).set(['count'], kept).set(['edition'], randomUUID()).add('changes', 1);
  const { done } = await table.transact([
    { key: listKeys.segment(list, own.from), change: lower.build() },
    { key: listKeys.segment(list, pivot), insert: newSegment(places.length - kept) },
  ]);
  if (done && places.length - kept > maxSegment) await tidy(table, list, pivot);
}

/** The segment of the place, and those beside it. */
async function around(table: Table, list: string, place: string) {
  const [own, before] = await segmentsAt(table, list, place, 2);
  if (!own) return [];
  const [same, next] = await segmentsAt(table, list, own.from, 2, true);
  return same?.from === own.from ? [before, same, next] : [];
}

function entriesOf(list: string, own: Segment, next: Segment | undefined) {
  return { from: listKeys.entry(list, own.from).sk, to: next ? listKeys.entry(list, next.from).sk : behindEntries };
}

/** An empty one joins any other: that makes none longer. */
function areShort(left: Segment, right: Segment): boolean {
  return left.count === 0 || right.count === 0 || left.count + right.count <= maxSegment / 2;
}

async function join(table: Table, list: string, left: Segment, right: Segment): Promise<void> {
  await table.transact([
    counted({ list, segment: left, delta: right.count }),
    { key: listKeys.segment(list, right.from), remove: whileUnchanged(right).build() },
  ]);
}

export interface ListPage {
  ids: string[];
  total: number;
}

interface Window {
  offset: number;
  limit: number;
  descending?: boolean;
}

/** The ids of the elements from `offset` on, and how many there are in all. Reads counts up to there, then entries. */
export async function readPage(table: Table, list: string, window: Window): Promise<ListPage> {
  const { offset, limit, descending = false } = window;
  const [head, start] = await Promise.all([
    table.get(listKeys.head(list), headItem),
    startOf(table, list, offset, descending),
  ]);
  const total = head?.total ?? 0;
  if (!start || offset >= total) return { ids: [], total };
  const bound = descending ? { to: start.bound } : { from: start.bound };
  // Backwards, the bound itself is the first place of the segment behind.
  const items = await table.query({
    partition: list,
    from: listKeys.entry(list, '').sk,
    to: behindEntries,
    ...bound,
    descending,
    limit: start.skip + limit + (descending ? 1 : 0),
  });
  const entries = descending ? items.filter((item) => listKeys.entry(list, placeOf(item)).sk < start.bound) : items;
  const shown = entries.slice(start.skip, start.skip + limit);
  return { ids: shown.map((item) => parseStored(entryItem, item).id), total };
}

/** The segment in which the offset lies: its edge on the side of the walk, and how many entries to skip from there. */
async function startOf(table: Table, list: string, offset: number, descending: boolean) {
  let bound = descending ? behindEntries : listKeys.entry(list, '').sk;
  let skip = offset;
  if (offset === 0) return { bound, skip };
  const pages = table.pages({
    partition: list,
    from: listKeys.segment(list, '').sk,
    to: behindSegments,
    descending,
    // Most are at least half full.
    atOnce: Math.ceil(offset / (maxSegment / 2)) + 2,
  });
  for await (const page of pages) {
    for (const segment of page.map(segmentOf)) {
      const edge = listKeys.entry(list, segment.from).sk;
      if (skip < segment.count) return { bound: descending ? bound : edge, skip };
      skip -= segment.count;
      bound = edge;
    }
  }
  return undefined;
}

/** The ids of all elements, so many at once: what looks into every element need not hold them. */
export async function* walk(table: Table, list: string, atOnce: number, descending = false): AsyncGenerator<string[]> {
  const range = { partition: list, from: listKeys.entry(list, '').sk, to: behindEntries, descending, atOnce };
  for await (const page of table.pages(range)) yield page.map((item) => parseStored(entryItem, item).id);
}
