import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { commit, insert } from '#kernel/table/effects.ts';
import { kind } from '#kernel/table/kind.ts';
import { type Listing, listing, placeInList, readAll, readPage, sortKey, walkList } from '#kernel/table/listing.ts';
import { Table } from '#kernel/table/table.ts';
import { testDependencies, testTime, uniqueId } from '../../../support/dependencies.ts';

const { dynamodb, tableName } = testDependencies();
const table = new Table(dynamodb, tableName, testTime);
const pebble = kind('PEBBLE', v.object({ size: v.number() }));

async function pebbles(list: Listing, sizes: readonly number[]) {
  const project = uniqueId('proj_');
  for (const [index, size] of sizes.entries()) {
    const id = `p${String(index).padStart(3, '0')}`;
    const place = placeInList(list, [project, 'beach'], [size, id]);
    await commit(table, [insert(pebble(project, id), { size, listed: { size }, ...place })]);
  }
  return project;
}

describe.each([1, 4])('a list over %i partitions', (shards) => {
  const list = listing('gsi1', 'PEBBLES', { shards });
  const sizes = [5, -2, 0, 12, 5, 7, -10, 100, 3];

  test('is in the order of its numbers, ties by id, from either end', async () => {
    const project = await pebbles(list, sizes);
    const sorted = sizes.toSorted((a, b) => a - b);
    const found = await readAll(table, list, [project, 'beach']);
    expect(found.map(({ listed }) => listed.size)).toEqual(sorted);
    const down = [];
    for await (const entry of walkList(table, list, [project, 'beach'], { descending: true }))
      down.push(entry.listed.size);
    expect(down).toEqual(sorted.toReversed());
    expect(await readAll(table, list, [project, 'another beach'])).toEqual([]);
  });

  test('gives each element on one page, with its length, and nothing beyond its end', async () => {
    const project = await pebbles(list, sizes);
    const pages = await Promise.all(
      [0, 4, 8, 12].map((offset) => readPage(table, list, [project, 'beach'], { offset, limit: 4 })),
    );
    expect(pages.flatMap(({ page }) => page.map(({ listed }) => listed.size))).toEqual(sizes.toSorted((a, b) => a - b));
    expect(pages.map(({ length }) => length)).toEqual([9, 9, 9, 9]);
  });
});

test('numbers sort by size, negative ones first, for any number of digits', () => {
  const numbers = [-1_000_000, -11, -2, -1, 0, 1, 2, 11, 1_000_000, Number.MAX_SAFE_INTEGER];
  const texts = numbers.map((number) => sortKey(number, 'x'));
  expect(texts.toSorted()).toEqual(texts);
});
