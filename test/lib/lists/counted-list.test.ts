import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Table, type Write } from '../../../lib/dynamodb.ts';
import {
  type Move,
  maxSegment,
  movesBetween,
  readPage,
  transactWithMoves,
  walk,
} from '../../../lib/lists/counted-list.ts';
import { behindEntries, behindSegments, keys, listKeys, placeBy, placeOf } from '../../../lib/table.ts';
import { ownTable, testDependencies, testTime, uniqueId } from '../../support/dependencies.ts';
import { buildList } from '../../support/lists.ts';

const { dynamodb, tableName } = testDependencies();
const table = new Table(dynamodb, tableName, testTime);
const newList = () => uniqueId('list_');
const put = (list: string, at: string, id = at): Move => ({ list, id, to: at });
const take = (list: string, at: string, id = at): Move => ({ list, id, from: at });
const move = (...moves: Move[]) => transactWithMoves(table, [], moves);

/** What the list says of itself: its total, its segments with what each says it has and has, its entries. */
async function contentOf(list: string) {
  const [head] = await table.getMany([listKeys.head(list)]);
  const segments = await table.query({
    partition: list,
    from: listKeys.segment(list, '').sk,
    to: behindSegments,
  });
  const entries = await table.query({ partition: list, from: listKeys.entry(list, '').sk, to: behindEntries });
  const places = entries.map(placeOf);
  return {
    total: head?.total ?? 0,
    entries: entries.map((item) => ({ at: placeOf(item), id: item.id })),
    segments: segments.map((segment, index) => {
      const next = segments[index + 1];
      const own = places.filter((at) => at >= placeOf(segment) && (!next || at < placeOf(next)));
      return { says: segment.count, has: own.length };
    }),
  };
}

/** The list is exactly this, in its counts as in its entries. */
async function expectExactly(list: string, wanted: readonly string[]) {
  const { total, entries, segments } = await contentOf(list);
  expect(entries.map(({ at }) => at)).toEqual(wanted.toSorted());
  expect(total).toBe(wanted.length);
  for (const { says, has } of segments) expect(says).toBe(has);
  return segments.map(({ has }) => has);
}

async function wholeByPages(list: string, limit: number, descending: boolean) {
  const ids: string[] = [];
  for (let offset = 0; ; offset += limit) {
    const page = await readPage(table, list, { offset, limit, descending });
    ids.push(...page.ids);
    if (page.ids.length < limit) return ids;
  }
}

const numbered = (count: number) => Array.from({ length: count }, (_, index) => placeBy(index));

describe('a list', () => {
  test('that was never written has no elements and a total of 0', async () => {
    expect(await readPage(table, newList(), { offset: 0, limit: 10 })).toEqual({ ids: [], total: 0 });
    expect(await readPage(table, newList(), { offset: 20, limit: 10, descending: true })).toEqual({
      ids: [],
      total: 0,
    });
  });

  test('tells its total on a page past its end', async () => {
    const list = newList();
    await move(put(list, 'a'), put(list, 'b'));
    expect(await readPage(table, list, { offset: 2, limit: 10 })).toEqual({ ids: [], total: 2 });
    expect(await readPage(table, list, { offset: 1, limit: 10 })).toEqual({ ids: ['b'], total: 2 });
  });

  test('orders integers by size, then texts, and takes any text as a part of a place', () => {
    const places = [placeBy(2, 'b'), placeBy(10, 'a'), placeBy(2, 'a'), placeBy(Number.MAX_SAFE_INTEGER, 'a')];
    expect(places.toSorted()).toEqual([places[2], places[0], places[1], places[3]]);
    expect(placeBy(1, 'ä#'.repeat(300))).toMatch(/^[\x20-\x7e]{1,100}$/);
  });

  test('is walked through in batches, both ways', async () => {
    const list = newList();
    await buildList(
      table,
      list,
      numbered(25).map((at) => ({ at, id: at })),
    );
    const batches: string[][] = [];
    for await (const batch of walk(table, list, 10)) batches.push(batch);
    expect(batches.map(({ length }) => length)).toEqual([10, 10, 5]);
    expect(batches.flat()).toEqual(numbered(25));
    const backwards: string[] = [];
    for await (const batch of walk(table, list, 10, true)) backwards.push(...batch);
    expect(backwards).toEqual(numbered(25).toReversed());
  });
});

describe('a move', () => {
  test('comes with the writes that it belongs to, or not at all', async () => {
    const list = newList();
    const key = keys.reward(uniqueId('proj_'), 'r');
    const insert: Write = { key, insert: { name: 'x' } };
    expect(await transactWithMoves(table, [insert], [put(list, 'a')])).toEqual({ done: true });
    expect(await transactWithMoves(table, [insert], [put(list, 'b')])).toEqual({
      done: false,
      refused: [{ failed: true, item: expect.objectContaining({ name: 'x' }) }],
    });
    await expectExactly(list, ['a']);
  });

  test('out of a place where the element is not, or into one that is taken, is refused', async () => {
    const list = newList();
    await move(put(list, 'a', 'first'));
    const refused = { done: false, refused: [] };
    expect(await move(take(list, 'b', 'first'))).toEqual(refused);
    expect(await move(take(list, 'a', 'second'))).toEqual(refused);
    expect(await move(put(list, 'a', 'second'))).toEqual(refused);
    await expectExactly(list, ['a']);
  });

  test('through several lists is planned from the places before and after', () => {
    const before = [
      { list: 'stays', at: '1' },
      { list: 'moves', at: '1' },
      { list: 'leaves', at: '1' },
    ];
    const after = [
      { list: 'stays', at: '1' },
      { list: 'moves', at: '2' },
      { list: 'enters', at: '1' },
    ];
    expect(movesBetween('x', before, after)).toEqual([
      { list: 'moves', id: 'x', from: '1', to: '2' },
      { list: 'leaves', id: 'x', from: '1', to: undefined },
      { list: 'enters', id: 'x', from: undefined, to: '1' },
    ]);
  });
});

/** Runs jobs a few at a time, as callers come. */
async function atOnce(count: number, jobs: (() => Promise<unknown>)[]) {
  const waiting = [...jobs];
  const worker = async () => {
    for (let job = waiting.shift(); job; job = waiting.shift()) await job();
  };
  await Promise.all(Array.from({ length: count }, worker));
}

describe('segments', () => {
  test('are divided as a list grows at its end, and every page is the sorted list', async () => {
    const list = newList();
    const places = numbered(260);
    for (let from = 0; from < 260; from += 20) {
      await move(...places.slice(from, from + 20).map((at) => put(list, at)));
    }
    const sizes = await expectExactly(list, places);
    expect(sizes.length).toBeGreaterThan(2);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(maxSegment);
    for (const limit of [7, 64, 100]) {
      expect(await wholeByPages(list, limit, false)).toEqual(places);
      expect(await wholeByPages(list, limit, true)).toEqual(places.toReversed());
    }
  });

  test.each([
    ['from the front', (places: string[]) => places],
    ['from the end', (places: string[]) => places.toReversed()],
    [
      'every second one first',
      (places: string[]) => [
        ...places.filter((_, index) => index % 2),
        ...places.filter((_, index) => index % 2 === 0),
      ],
    ],
  ])('that have become short join, emptied %s', async (_, order) => {
    const list = newList();
    const places = numbered(260);
    await buildList(
      table,
      list,
      places.map((at) => ({ at, id: at })),
    );
    const leaving = order(places).slice(0, 250);
    for (let from = 0; from < leaving.length; from += 5) {
      await move(...leaving.slice(from, from + 5).map((at) => take(list, at)));
    }
    const left = places.filter((at) => !leaving.includes(at));
    expect((await expectExactly(list, left)).length).toBeLessThanOrEqual(2);
    expect(await wholeByPages(list, 10, false)).toEqual(left);
    for (const at of left) await move(take(list, at));
    expect(await expectExactly(list, [])).toHaveLength(1);
  });

  test('do not pile up where elements keep moving to the end', async () => {
    const list = newList();
    const places = numbered(420);
    await buildList(
      table,
      list,
      places.slice(0, 140).map((at, id) => ({ at, id: String(id) })),
    );
    for (let next = 140; next < 420; next++) {
      const [id, from, to] = [String(next % 140), places[next - 140], places[next]];
      expect(await move({ list, id, from, to })).toEqual({ done: true });
    }
    expect((await expectExactly(list, places.slice(280))).length).toBeLessThanOrEqual(5);
  });
});

describe('concurrent changes', () => {
  const seed = Number(process.env.SEED ?? 7);

  test('of all kinds leave counts, total and order right', async () => {
    const element = fc.record({ place: fc.nat(999), next: fc.option(fc.nat(999), { nil: undefined }) });
    const runs = fc.sample(fc.array(element, { minLength: 60, maxLength: 60 }), { numRuns: 2, seed });
    await Promise.all(
      runs.map(async (elements, run) => {
        const list = newList();
        const other = newList();
        await buildList(
          table,
          list,
          numbered(140).map((_, index) => ({ at: placeBy(index * 4, 'old'), id: `old-${index}` })),
        );
        const wanted = new Set(Array.from({ length: 140 }, (_, index) => placeBy(index * 4, 'old')));
        const inOther = new Set<string>();
        await atOnce(
          8,
          elements.map(({ place, next }, index) => async () => {
            const id = `new-${run}-${index}`;
            const at = placeBy(place, id);
            const to = next === undefined ? undefined : placeBy(next, id);
            expect(await move(put(list, at, id), put(other, at, id))).toEqual({ done: true });
            // Elements that were there go from a crowded range to another; a new one moves on, or leaves again.
            const old = placeBy(index * 4, 'old');
            const moved = placeBy(place, `moved-${index}`);
            expect(await move({ list, id: `old-${index}`, from: old, to: moved })).toEqual({ done: true });
            expect(await move({ list, id, from: at, to })).toEqual({ done: true });
            wanted.delete(old);
            wanted.add(moved);
            inOther.add(at);
            if (to !== undefined) wanted.add(to);
          }),
        );
        await expectExactly(list, [...wanted]);
        await expectExactly(other, [...inOther]);
        expect(await wholeByPages(other, 33, true)).toHaveLength(inOther.size);
      }),
    );
  });

  test('of one element: one gets through, the others are refused', async () => {
    const list = newList();
    await move(put(list, 'a', 'x'));
    const outcomes = await Promise.all(
      Array.from({ length: 10 }, (_, index) => move({ list, id: 'x', from: 'a', to: `b${index}` })),
    );
    expect(outcomes.filter(({ done }) => done)).toHaveLength(1);
    expect((await contentOf(list)).entries).toHaveLength(1);
  });

  test('that meet a division between their plan and their write are planned anew', async () => {
    const list = newList();
    await move(...numbered(30).map((at) => put(list, at)));
    let crossed = false;
    const send = async (command: { constructor: { name: string } }) => {
      if (command.constructor.name === 'TransactWriteCommand' && !crossed) {
        crossed = true;
        for (let from = 0; from < 120; from += 20) {
          await move(...numbered(20).map((_, index) => put(list, placeBy(0, String(1_000 + from + index)))));
        }
      }
      return dynamodb.send(command as never);
    };
    const client: DynamoDBDocumentClient = Object.assign(Object.create(dynamodb), { send });
    const late = new Table(client, tableName, testTime);
    const last = placeBy(999);
    expect(await transactWithMoves(late, [], [put(list, last)])).toEqual({ done: true });
    const there = [
      ...numbered(30),
      ...Array.from({ length: 120 }, (_, index) => placeBy(0, String(1_000 + index))),
      last,
    ];
    expect((await expectExactly(list, there)).length).toBeGreaterThan(1);
  });
});

describe('the cost of a page', () => {
  test('of 10 among 1,000, the first or the hundredth, either way, is that of a page', async () => {
    const list = newList();
    await buildList(
      table,
      list,
      numbered(1_000).map((at) => ({ at, id: at })),
    );
    for (const page of [1, 50, 100]) {
      for (const descending of [false, true]) {
        const metered = new Table(dynamodb, tableName, testTime);
        const { ids, total } = await readPage(metered, list, { offset: (page - 1) * 10, limit: 10, descending });
        expect([ids.length, total]).toEqual([10, 1_000]);
        expect(metered.meter.readUnits).toBeLessThanOrEqual(5);
        expect(metered.meter.calls).toBeLessThanOrEqual(3);
      }
    }
  });

  test('does not grow with the list: the last of 100 pages of 100 among 12,000 (the 20th of 2,400 but for long runs)', async () => {
    const size = process.env.LONG_TESTS ? 12_000 : 2_400;
    const offset = process.env.LONG_TESTS ? 9_900 : 1_900;
    const name = await ownTable();
    const tableOfIts = () => new Table(dynamodb, name, testTime);
    const list = newList();
    await buildList(
      tableOfIts(),
      list,
      numbered(size).map((at) => ({ at, id: at })),
    );
    for (const descending of [false, true]) {
      const own = tableOfIts();
      const { ids, total } = await readPage(own, list, { offset, limit: 100, descending });
      expect(ids[0]).toBe(placeBy(descending ? size - offset - 1 : offset));
      expect([ids.length, total]).toEqual([100, size]);
      expect(own.meter.readUnits).toBeLessThanOrEqual(15);
    }
  });
});
