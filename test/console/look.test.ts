import { expect, test } from 'vitest';
import { lookThrough } from '../../console/core/look.ts';

const all = Array.from({ length: 1_000 }, (_, index) => ({ id: `v_${index}`, isOff: index % 30 === 7 }));

type Row = (typeof all)[number];
type List = Omit<Parameters<typeof lookThrough<Row>>[0], 'after'>;

/** Reads parts of a hundred rows. Each part advances the clock by the given time. */
function listOf(rows: readonly Row[], partInMs: number) {
  let now = 0;
  return {
    clock: () => now,
    read: async (after: string | undefined) => {
      now += partInMs;
      const from = after === undefined ? 0 : rows.findIndex(({ id }) => id === after) + 1;
      const part = rows.slice(from, from + 100);
      return { rows: part, next: from + 100 < rows.length ? part.at(-1)?.id : undefined };
    },
    choose: async (part: readonly Row[]) => new Set(part.filter(({ isOff }) => isOff).map(({ id }) => id)),
  };
}

async function lookToTheEnd(list: List) {
  const pages = [];
  for (let after: string | undefined; ; ) {
    const page = await lookThrough({ ...list, after });
    pages.push(page);
    after = page.next;
    if (after === undefined) return pages;
  }
}

test.each([1, 3, 25])('pages of %s rows have each row that fits once, in the order of the list', async (limit) => {
  const pages = await lookToTheEnd({ ...listOf(all, 10), limit });
  const found = pages.flatMap(({ rows }) => rows.map(({ id }) => id));
  expect(found).toEqual(all.filter(({ isOff }) => isOff).map(({ id }) => id));
  expect(pages.reduce((sum, { looked }) => sum + looked, 0)).toBe(all.length);
});

test('a look ends after a fifth of a second, and says from where to look further', async () => {
  const [first, ...others] = await lookToTheEnd({ ...listOf(all, 80), limit: 25 });
  expect(first).toMatchObject({ looked: 300, next: 'v_299' });
  expect(first?.rows).toHaveLength(10);
  expect(others).toHaveLength(3);
});

test('a page that ends with the last row of the list leads nowhere', async () => {
  const rows = all.slice(0, 8);
  const list = listOf(rows, 10);
  expect(await lookThrough({ ...list, after: undefined, limit: 1 })).toEqual({
    rows: [all[7]],
    next: undefined,
    looked: 8,
  });
});

test('a list without rows asks for no state', async () => {
  const choose = () => Promise.reject(new Error('asked'));
  const look = { ...listOf([], 10), choose };
  expect(await lookThrough({ ...look, after: undefined, limit: 25 })).toEqual({ rows: [], next: undefined, looked: 0 });
});
