import fc from 'fast-check';
import * as v from 'valibot';
import { beforeAll, describe, expect, test } from 'vitest';
import { kind } from '#kernel/table/kind.ts';
import { type BatchFilter, type ListPage, readListPage, type WantedPage } from '#kernel/table/list-page.ts';
import { type Entry, type Listing, listIndexes, listing, placeInList, toRange } from '#kernel/table/listing.ts';
import { Table } from '#kernel/table/table.ts';
import { testDependencies, testTime, uniqueId } from '../../../support/dependencies.ts';

const { dynamodb, tableName } = testDependencies();
const newTable = () => new Table(dynamodb, tableName, testTime);
const shell = kind('SHELL', v.object({}));

const dayOf = (index: number) => new Date(Date.UTC(2026, 0, 1 + index)).toISOString();

/** Makes shells, one a day. Every third is red. */
async function beach(list: Listing, days: readonly number[]): Promise<string> {
  const project = uniqueId('proj_');
  const items = days.map((day, index) => {
    const id = `s${String(index).padStart(4, '0')}`;
    const listed = { id, day, red: index % 3 === 0 };
    return { key: shell(project, id), item: { listed, ...placeInList(list, [project], [dayOf(day), id]) } };
  });
  for (let at = 0; at < items.length; at += 25) await newTable().insertMany(items.slice(at, at + 25));
  return project;
}

const dayIn = ({ listed }: Entry) => Number(listed.day);
const red: BatchFilter = (batch) => batch.map(({ listed }) => listed.red === true);
const momentOf = ({ at }: Entry) => at.slice(0, 24);
const shown = ({ page, total, next }: ListPage) => [page.map(dayIn), total, next && dayIn(next)];

describe.each([1, 4])('a list over %i partitions', (shards) => {
  const list = listing(listIndexes.first, 'SHELLS', { shards });
  let project: string;
  beforeAll(async () => {
    project = await beach(
      list,
      Array.from({ length: 30 }, (_, index) => index),
    );
  });
  const read = (wanted: Partial<WantedPage>) =>
    readListPage(newTable(), { list, owner: [project] }, { limit: 3, offset: 0, ...wanted });
  const placeOf = (day: number) => `${dayOf(day)}#s${String(day).padStart(4, '0')}`;

  test.each<[string, Partial<WantedPage>, unknown]>([
    ['from its beginning', {}, [[0, 1, 2], 30, 2]],
    ['by its offset', { offset: 28 }, [[28, 29], 30, undefined]],
    ['past its end', { offset: 40 }, [[], 30, undefined]],
    ['that ends with it', { offset: 27 }, [[27, 28, 29], 30, undefined]],
    ['from its end', { descending: true }, [[29, 28, 27], 30, 27]],
    ['behind an element', { behind: placeOf(5) }, [[6, 7, 8], 30, 8]],
    ['before an element', { behind: placeOf(5), descending: true }, [[4, 3, 2], 30, 2]],
    ['behind the last', { behind: placeOf(29) }, [[], 30, undefined]],
    ['of the elements between two dates', toRange({ after: dayOf(3), before: dayOf(8) }), [[4, 5, 6], 4, 6]],
    ['of those after a date', toRange({ after: dayOf(27) }), [[28, 29], 2, undefined]],
    ['of none, if the bounds cross', toRange({ after: dayOf(8), before: dayOf(3) }), [[], 0, undefined]],
    [
      'of those in bounds behind one that is outside',
      { ...toRange({ after: dayOf(3) }), behind: placeOf(1) },
      [[4, 5, 6], 26, 6],
    ],
    ['of the elements that a filter selects', { matches: red }, [[0, 3, 6], 10, 6]],
    ['of the elements at its offset', { matches: red, offset: 8 }, [[24, 27], 10, undefined]],
    ['of the elements behind another', { matches: red, behind: placeOf(6) }, [[9, 12, 15], 10, 15]],
    ['of the last of these', { matches: red, behind: placeOf(20) }, [[21, 24, 27], 10, undefined]],
    [
      'within bounds, from the end',
      { matches: red, descending: true, ...toRange({ before: dayOf(12) }) },
      [[9, 6, 3], 4, 3],
    ],
    ['of none', { matches: (batch) => batch.map(() => false) }, [[], 0, undefined]],
    ['at which the walk stops, and the place of the stop', { matches: red, atMost: 5 }, [[0, 3], 2, 4]],
    ['of none if the walk stops at once', { matches: red, atMost: 2, offset: 3 }, [[], 1, 1]],
    ['that begins behind the stop', { matches: red, atMost: 4, behind: placeOf(6) }, [[9], 2, 10]],
    ['that is full at the stop', { matches: red, atMost: 7, limit: 2 }, [[0, 3], 3, 3]],
  ])('has a page %s', async (_, wanted, expected) => {
    expect(shown(await read(wanted))).toEqual(expected);
  });

  test('is walked completely, filtered or not, for any size of a page and any stop of the walk', async () => {
    const walk = async (wanted: Partial<WantedPage>) => {
      const found: number[] = [];
      for (let behind: string | undefined = wanted.descending ? '3' : '0'; behind !== undefined; ) {
        const page: ListPage = await read({ ...wanted, behind });
        found.push(...page.page.map(dayIn));
        behind = page.next?.at;
      }
      return found;
    };
    await fc.assert(
      fc.asyncProperty(
        fc.boolean(),
        fc.boolean(),
        fc.integer({ min: 1, max: 9 }),
        fc.integer({ min: 1, max: 9 }),
        async (descending, filters, limit, atMost) => {
          const all = Array.from({ length: 30 }, (_, day) => day).filter((day) => !filters || day % 3 === 0);
          const found = await walk({ descending, limit, atMost, ...(filters ? { matches: red } : {}) });
          expect(found).toEqual(descending ? all.toReversed() : all);
        },
      ),
      { numRuns: 6 },
    );
  });
});

test.each<[string, number[], number, number[][]]>([
  [
    'a page ends before a moment that does not fit',
    [0, 1, 2, 2, 3],
    3,
    [
      [0, 1],
      [2, 2, 3],
    ],
  ],
  [
    'and is longer than its limit for a moment that is',
    [0, 0, 0, 1, 1],
    2,
    [
      [0, 0, 0],
      [1, 1],
    ],
  ],
  ['a moment that just fits stays', [0, 0, 1, 2], 3, [[0, 0, 1], [2]]],
])('walked by moments %s', async (_, days, limit, pages) => {
  const list = listing(listIndexes.second, 'SHELLS');
  const project = await beach(list, days);
  let behind: string | undefined = '0';
  for (const expected of pages) {
    const page: ListPage = await readListPage(
      newTable(),
      { list, owner: [project] },
      { limit, offset: 0, momentOf, behind },
    );
    expect(page.page.map(dayIn)).toEqual(expected);
    behind = page.next && `${momentOf(page.next)}$`;
  }
  expect(behind).toBeUndefined();
});

test('a page of a filtered list costs the same for any length, and so does a page behind a cursor', async () => {
  const list = listing(listIndexes.third, 'SHELLS');
  const upTo = (length: number) => Array.from({ length }, (_, index) => index);
  const [short, long] = [await beach(list, upTo(300)), await beach(list, upTo(1_000))];
  const unitsOf = async (project: string, wanted: Partial<WantedPage>) => {
    const table = newTable();
    await readListPage(table, { list, owner: [project] }, { limit: 10, offset: 0, ...wanted });
    return table.meter.readUnits;
  };
  for (const wanted of [
    { matches: red, atMost: 200 },
    { matches: red, atMost: 200, behind: dayOf(100) },
    { behind: dayOf(100) },
  ]) {
    const [few, many] = [await unitsOf(short, wanted), await unitsOf(long, wanted)];
    expect(many).toBeLessThanOrEqual(few + 1);
    expect(many).toBeLessThan(25);
  }
});

test('a walk without time left says where it stopped, and the next one finds the rest', async () => {
  const list = listing(listIndexes.third, 'SHELLS');
  const project = await beach(
    list,
    Array.from({ length: 600 }, (_, index) => index),
  );
  const found: number[] = [];
  let behind: string | undefined;
  let walks = 0;
  do {
    const page: ListPage = await readListPage(
      newTable(),
      { list, owner: [project] },
      { limit: 400, offset: 0, matches: red, atMostInMs: 0, behind },
    );
    found.push(...page.page.map(dayIn));
    behind = page.next?.at;
    walks += 1;
  } while (behind !== undefined);
  expect(found).toEqual(Array.from({ length: 200 }, (_, index) => 3 * index));
  expect(walks).toBe(3);
});
