import { afterEach, describe, expect, test } from 'vitest';
import { Source, SourceRefusal, SourceSilent } from '../../../../infra/operator/migrate/source.ts';
import { type Asked, type Given, serveReplies, timeless } from '../../../support/served-replies.ts';

const open: (() => Promise<void>)[] = [];
afterEach(() => Promise.all(open.splice(0).map((close) => close())));

async function sourceOf(answer: (asked: Asked, number: number) => Given, callsPerMinute = 100) {
  const served = await serveReplies(answer);
  open.push(served.close);
  const clock = timeless(Date.parse('2026-11-26T10:00:00Z'));
  const told: string[] = [];
  const onWait = (why: string, ms: number) => told.push(`${why} ${ms}`);
  const settings = { url: served.url, appId: 'id', appToken: 'secret', callsPerMinute, clock, onWait };
  return { source: new Source(settings), clock, asked: served.asked, told };
}

async function textOf(pieces: AsyncIterable<Uint8Array>): Promise<string> {
  const all: Uint8Array[] = [];
  for await (const piece of pieces) all.push(piece);
  return Buffer.concat(all).toString();
}

describe('a source of a migration', () => {
  test('is asked with its credentials', async () => {
    const { source, asked } = await sourceOf(() => ({ json: { total: 1 } }));
    expect(await source.get('/v1/campaigns?limit=1')).toEqual({ total: 1 });
    expect(asked[0]).toMatchObject({
      method: 'GET',
      path: '/v1/campaigns',
      headers: { 'x-app-id': 'id', 'x-app-token': 'secret' },
    });
  });

  test('gets no more calls in any minute than the budget has', async () => {
    const { source, clock } = await sourceOf(() => ({ json: {} }), 3);
    for (let call = 0; call < 8; call++) await source.get('/v1/campaigns');
    expect(clock.waits).toEqual([60_000, 60_000]);
    expect(source.calls).toBe(8);
  });

  test.each([
    ['seconds', '7', 7_000],
    ['a date', 'Thu, 26 Nov 2026 10:00:30 GMT', 30_000],
    ['nothing readable', 'soon', 10_000],
  ])('is asked again after a 429 when Retry-After says so by %s', async (_, after, wait) => {
    const { source, clock } = await sourceOf((_asked, number) =>
      number === 1 ? { status: 429, headers: { 'retry-after': after }, json: {} } : { json: { ok: true } },
    );
    expect(await source.get('/v1/campaigns')).toEqual({ ok: true });
    expect(clock.waits).toEqual([wait]);
  });

  test('is asked again after a 500, a reply without JSON and a broken connection, each time later', async () => {
    const { source, clock } = await sourceOf((_asked, number) => {
      if (number === 1) return { status: 500, json: {} };
      if (number === 2) return { text: '<html>' };
      return number === 3 ? { text: '{}', cutOff: true } : { json: { ok: true } };
    });
    expect(await source.get('/v1/campaigns')).toEqual({ ok: true });
    expect(clock.waits).toEqual([1_000, 2_000, 4_000]);
  });

  test('is given up after eight faults, with the call that failed, and tells each wait', async () => {
    const { source, asked, told } = await sourceOf(() => ({ status: 503, json: {} }));
    await expect(source.get('/v1/campaigns?page=2')).rejects.toThrow(
      new SourceSilent('GET /v1/campaigns: answered with 503'),
    );
    expect(asked.length).toBe(8);
    expect(told).toHaveLength(7);
    expect(told[2]).toBe('GET /v1/campaigns: answered with 503 4000');
  });

  test('is asked once if it refuses', async () => {
    const { source, asked } = await sourceOf(() => ({ status: 403, json: { key: 'forbidden', details: 'no scope' } }));
    const refusal = await source.get('/v1/rewards').catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(SourceRefusal);
    expect(refusal).toMatchObject({ status: 403, key: 'forbidden', isForbidden: true });
    expect(String(refusal)).toContain('GET /v1/rewards is answered with 403 no scope');
    expect(asked.length).toBe(1);
  });

  test('gives a file again from its beginning if it was cut off', async () => {
    const { source, asked } = await sourceOf((_asked, number) => ({ text: 'ID,Code\r\n', cutOff: number === 1 }));
    expect(await source.download('/files/1?token=t', textOf)).toBe('ID,Code\r\n');
    expect(asked.map(({ headers }) => headers['x-app-token'])).toEqual([undefined, undefined]);
    expect(source.calls).toBe(0);
  });
});
