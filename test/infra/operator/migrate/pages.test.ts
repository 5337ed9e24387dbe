import { afterEach, describe, expect, test } from 'vitest';
import { firstPlace, readPage, TooLong, type Windows, windows } from '../../../../infra/operator/migrate/pages.ts';
import { Source } from '../../../../infra/operator/migrate/source.ts';
import { type Asked, type Given, serveReplies, timeless } from '../../../support/served-replies.ts';

const open: (() => Promise<void>)[] = [];
afterEach(() => Promise.all(open.splice(0).map((close) => close())));

interface Row {
  readonly id: string;
  readonly created_at: string;
}

/** Says how a source gives a list: by pages of a length up to the last page, by windows of time, by cursors. */
interface Cap {
  readonly limit: number;
  readonly pages: number;
  readonly hasWindows?: boolean;
  readonly hasCursors?: boolean;
  /** Refuses pages after the last page. Otherwise they are empty. */
  readonly refuses?: boolean;
}

function within({ query }: Asked, { created_at }: Row): boolean {
  const [after, since] = [query.get('created_at[after]'), query.get('start_date')];
  const before = query.get('filters[created_at][conditions][$before][0]');
  return !(after && created_at <= after) && !(since && created_at < since) && !(before && created_at >= before);
}

function answer(all: readonly Row[], { limit, pages, hasWindows, hasCursors, refuses }: Cap, asked: Asked): Given {
  const page = Number(asked.query.get('page') ?? 1);
  if (page > pages && refuses) return { status: 400, json: { key: 'invalid_query_params' } };
  const inOrder = asked.query.get('order') === '-created_at' ? all.toReversed() : all;
  const found = hasWindows ? inOrder.filter((row) => within(asked, row)) : inOrder;
  const cursor = asked.query.get('starting_after_id');
  const from = cursor ? found.findIndex(({ id }) => id === cursor) + 1 : (page - 1) * limit;
  const rows = found.slice(from, from + limit);
  const isMore = from + limit < found.length;
  const more = hasCursors ? { has_more: isMore, ...(isMore ? { more_starting_after: rows.at(-1)?.id } : {}) } : {};
  return { json: { data_ref: 'rows', rows, total: found.length, ...more } };
}

/** Walks over a list as the migration does. */
async function walk(all: readonly Row[], cap: Cap, by?: Windows, before: (asked: Asked) => void = () => {}) {
  const { url, close } = await serveReplies((asked) => {
    before(asked);
    return answer(all, cap, asked);
  });
  open.push(close);
  return walkAt(url, `/v1/rows?order=${by?.isDescending ? '-created_at' : 'created_at'}`, by);
}

async function walkAt(url: string, path: string, by?: Windows) {
  const source = new Source({ url, appId: 'id', appToken: 'secret', callsPerMinute: 1_000, clock: timeless() });
  const ids = new Set<unknown>();
  for (let place: string | undefined = firstPlace; place !== undefined; ) {
    const { rows, next } = await readPage(source, path, place, by);
    for (const { id } of rows) ids.add(id);
    place = next;
  }
  return { ids: ids.size, calls: source.calls };
}

/** `atOnce` rows have the same moment. */
function rowsOf(count: number, atOnce: number): Row[] {
  const momentOf = (index: number) => new Date(Date.UTC(2026, 0, 1) + Math.floor(index / atOnce) * 1_000).toISOString();
  return Array.from({ length: count }, (_, index) => ({ id: `row_${index}`, created_at: momentOf(index) }));
}

const cap = { limit: 5, pages: 4, hasWindows: true, refuses: true };

describe('a list that is longer than its pages', () => {
  test.each([
    ['created after a moment', windows.range],
    ['created on a date and later', windows.dates],
    ['filtered, the newest first', windows.filter],
  ])('is read whole by windows %s, though several rows have the same moment', async (_, by) => {
    const { ids, calls } = await walk(rowsOf(90, 3), cap, by);
    expect(ids).toBe(90);
    expect(calls).toBeLessThan(40);
  });

  test('is read whole by cursors', async () => {
    const { ids, calls } = await walk(rowsOf(90, 3), { ...cap, hasWindows: false, hasCursors: true });
    expect([ids, calls]).toEqual([90, 18]);
  });

  test('keeps what is added in front and behind while it is read', async () => {
    const all = rowsOf(60, 1);
    let added = 0;
    const { ids } = await walk(all, cap, windows.range, ({ query }) => {
      if (query.get('page') !== '2') return;
      all.push({ id: `late_${added}`, created_at: new Date(Date.UTC(2026, 0, 2) + added * 1_000).toISOString() });
      added += 1;
    });
    expect(added).toBeGreaterThan(2);
    expect(ids).toBe(all.length);
  });

  test.each([
    ['that gives no windows', { ...cap, hasWindows: false }, windows.range],
    ['that has no windows', { ...cap, hasWindows: false }, undefined],
    ['with a whole window of one moment', cap, windows.range],
  ])('is refused from a source %s', async (name, of, by) => {
    const all = rowsOf(120, name.includes('one moment') ? 100 : 1);
    await expect(walk(all, of, by)).rejects.toThrow(TooLong);
  });

  test('is read whole, though a window counts no more rows than its pages have', async () => {
    const all = rowsOf(20_300, 1);
    const { url, close } = await serveReplies((asked) => {
      const given = answer(all, { limit: 100, pages: 100, hasWindows: true, refuses: true }, asked);
      const { rows = [], total = 0 } = Object(given.json);
      const isWindow = asked.query.has('start_date');
      return given.status
        ? given
        : { json: { data_ref: 'rows', rows, total: isWindow ? Math.min(total, 10_000) : total } };
    });
    open.push(close);
    expect(await walkAt(url, '/v1/rows?order=created_at', windows.dates)).toMatchObject({ ids: all.length });
  });

  test('goes on behind a page without rows, because deleted rows are left out of their page', async () => {
    const { url, close } = await serveReplies(({ query }) => {
      const page = Number(query.get('page') ?? 1);
      const rows = rowsOf([0, 100, 0, 40][page] ?? 0, 1).map(({ id }) => ({ id: `${page} ${id}` }));
      return { json: { data_ref: 'rows', rows, total: 240 } };
    });
    open.push(close);
    expect(await walkAt(url, '/v1/rows')).toEqual({ ids: 140, calls: 4 });
  });

  test('ends with a full page that says so, also in a list without pages and total', async () => {
    const { url, close } = await serveReplies(() => ({
      json: { data_ref: 'data', data: rowsOf(100, 1), has_more: false },
    }));
    open.push(close);
    expect(await walkAt(url, '/v1/rows')).toEqual({ ids: 100, calls: 1 });
  });

  test('ends at its total, also if that is the last row of the last page', async () => {
    expect(await walk(rowsOf(20, 1), cap)).toEqual({ ids: 20, calls: 4 });
  });
});
