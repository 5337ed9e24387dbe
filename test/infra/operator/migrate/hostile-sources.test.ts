import { afterEach, describe, expect, test } from 'vitest';
import { fetchExport } from '../../../../infra/operator/migrate/exports.ts';
import { pagesFrom } from '../../../../infra/operator/migrate/pages.ts';
import { Source, SourceFault, SourceSilent } from '../../../../infra/operator/migrate/source.ts';
import { type Asked, type Given, serveReplies, timeless } from '../../../support/served-replies.ts';

const open: (() => Promise<void>)[] = [];
afterEach(() => Promise.all(open.splice(0).map((close) => close())));

async function serve(answer: (asked: Asked, number: number) => Given) {
  const served = await serveReplies(answer);
  open.push(served.close);
  return served;
}

/** Makes a source whose limits a test can reach. */
async function sourceOf(answer: (asked: Asked, number: number) => Given, largestReply?: number) {
  const { url, asked } = await serve(answer);
  const settings = { url, appId: 'id', appToken: 'secret', callsPerMinute: 1_000_000, clock: timeless() };
  return { source: new Source({ ...settings, ...(largestReply === undefined ? {} : { largestReply }) }), asked };
}

async function walk(answer: (asked: Asked, number: number) => Given): Promise<number> {
  const { source } = await sourceOf(answer);
  let rows = 0;
  for await (const page of pagesFrom(source, '/v1/rows')) rows += page.rows.length;
  return rows;
}

const rows = (...ids: readonly (string | number)[]) => ids.map((id) => ({ id: `row_${id}` }));
const numbers = (from: number) => Array.from({ length: 100 }, (_, index) => from + index);

describe('a source that leads to another address', () => {
  test.each([301, 302, 303, 307, 308])('by %i is not followed, and its token stays', async (status) => {
    const third = await serve(() => ({ json: { total: 0, rows: [] } }));
    const { source, asked } = await sourceOf(() => ({
      status,
      headers: { location: `${third.url}/v1/rows` },
      json: {},
    }));
    const failure = await source.get('/v1/rows').catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(SourceFault);
    expect(String(failure)).toContain(`GET /v1/rows leads to ${third.url}`);
    await expect(source.post('/v1/exports', {})).rejects.toThrow(SourceFault);
    expect([third.asked.length, asked.length]).toEqual([0, 2]);
  });
});

describe('a list ends with words, if', () => {
  test('its cursor stands still', async () => {
    const still = () => ({
      json: { data_ref: 'rows', rows: rows(1, 2), has_more: true, more_starting_after: 'row_2' },
    });
    await expect(walk(still)).rejects.toThrow(/GET \/v1\/rows repeats itself/);
  });

  test.each([2, 3, 7, 64])('its cursors lead in a circle of %i pages', async (length) => {
    const circle = ({ query }: Asked) => {
      const at = (Number(query.get('starting_after_id')?.slice(4) ?? -1) + 1) % length;
      return { json: { data_ref: 'rows', rows: rows(at), has_more: true, more_starting_after: `row_${at}` } };
    };
    await expect(walk(circle)).rejects.toThrow(/GET \/v1\/rows repeats itself/);
  });

  test('it gives the same rows with ever new cursors', async () => {
    const same = (_: Asked, number: number) => ({
      json: { data_ref: 'rows', rows: rows(1, 2), has_more: true, more_starting_after: `c_${number}` },
    });
    await expect(walk(same)).rejects.toThrow(/GET \/v1\/rows repeats itself/);
  });

  test('it gives the same rows on each page', async () => {
    const same = () => ({ json: { data_ref: 'rows', rows: rows(...numbers(0)), total: 9_000 } });
    await expect(walk(same)).rejects.toThrow(/GET \/v1\/rows repeats itself/);
  });

  test.each<[string, unknown]>([
    ['a text', 'rows'],
    ['a number', 7],
    ['nothing', null],
    ['a list without an object', [{ id: 'row_1' }]],
    ['an object without a list', { object: 'list', total: 3 }],
    ['an object whose list is an object', { data_ref: 'rows', rows: { id: 'row_1' } }],
    ['a list of texts', { data_ref: 'rows', rows: ['row_1'] }],
    ['a list with a gap', { data_ref: 'rows', rows: [{ id: 'row_1' }, null] }],
  ])('its reply is %s', async (_, json) => {
    const failure = await walk(() => ({ json })).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(SourceFault);
    expect(String(failure)).toMatch(/GET \/v1\/rows .*list/);
  });

  test('its reply is larger than the limit, and it is asked once', async () => {
    const { source, asked } = await sourceOf(() => ({ json: { rows: rows(1), text: 'x'.repeat(200_000) } }), 100_000);
    const failure = await source.get('/v1/rows').catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(SourceFault);
    expect(String(failure)).toContain('GET /v1/rows: the reply has more than 100,000 bytes');
    expect(asked).toHaveLength(1);
  });
});

describe('a list is read, if', () => {
  test('it has no rows, and says so', async () => {
    expect(await walk(() => ({ json: { object: 'list', total: 0 } }))).toBe(0);
    expect(await walk(() => ({ json: { data_ref: 'rows', rows: [] } }))).toBe(0);
  });

  test('it knows no pages, and comes whole each time', async () => {
    const whole = [...numbers(0), ...numbers(100)];
    expect(await walk(() => ({ json: { data_ref: 'rows', rows: rows(...whole) } }))).toBe(200);
  });

  test('its cursors lead through three hundred different pages', async () => {
    const many = ({ query }: Asked) => {
      const from = Number(query.get('starting_after_id')?.slice(4) ?? -1) + 1;
      const isMore = from < 29_900;
      const more = isMore ? { more_starting_after: `row_${from + 99}` } : {};
      return { json: { data_ref: 'rows', rows: rows(...numbers(from)), has_more: isMore, ...more } };
    };
    expect(await walk(many)).toBe(30_000);
  });
});

describe('an export ends with words, if', () => {
  const fetched = async (answer: (asked: Asked) => Given) => {
    const { source } = await sourceOf(answer);
    const steps = new Map<string, object>();
    const progress = {
      step: (name: string) => steps.get(name) ?? {},
      note: async (name: string, step: object) => void steps.set(name, step),
      path: (name: string) => `/nowhere/${name}`,
    };
    return fetchExport(source, progress as never, 'orders.csv', { object: 'order', fields: ['id'] });
  };

  test.each<[string, unknown]>([
    ['its start has no id', { status: 'SCHEDULED' }],
    ['its start is a list', []],
  ])('%s', async (_, json) => {
    await expect(fetched(() => ({ json }))).rejects.toThrow(SourceFault);
  });

  test('its file has no address', async () => {
    const done = { id: 'exp_1', status: 'DONE', result: { url: 'http://[' } };
    await expect(fetched(() => ({ json: done }))).rejects.toThrow(SourceFault);
  });

  test('it is never done', async () => {
    await expect(fetched(() => ({ json: { id: 'exp_1', status: 'PROCESSING' } }))).rejects.toThrow(SourceSilent);
  });
});
