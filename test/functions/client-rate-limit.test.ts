import { describe, expect, test } from 'vitest';
import { handler as listTiers } from '../../functions/client/list-client-promotion-tiers.ts';
import { RateLimiter } from '../../lib/http/rate-limit.ts';
import { caller } from '../support/call.ts';
import { standingClock, testDependencies } from '../support/dependencies.ts';
import { onPage, type PageProject, page, pageProject } from '../support/page-project.ts';

describe('a page calls five times in five seconds', () => {
  const clock = standingClock(new Date('2026-06-15T12:00:01.000Z'));
  /** One container. */
  const callFrom = (file: PageProject, address?: string) => {
    const dependencies = testDependencies({ clock, rateLimiter: new RateLimiter() });
    const list = caller(listTiers, dependencies);
    const call = () => list({ headers: onPage(file), ...(address === undefined ? {} : { sourceIp: address }) });
    return Object.assign(call, { lines: dependencies.lines });
  };
  const statusesOf = (replies: readonly { status: number }[]) => replies.map(({ status }) => status).sort();

  test('and not a sixth time, until the next five begin', async () => {
    const list = callFrom(await pageProject());
    const replies = [];
    for (let index = 0; index < 6; index++) replies.push(await list());
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 429]);
    expect(replies[0]?.headers).toMatchObject({ 'X-Rate-Limit-Limit': '5', 'X-Rate-Limit-Remaining': '4' });
    expect(replies[5]).toMatchObject({ body: { key: 'too_many_requests' }, headers: { 'Retry-After': '4' } });
    expect(replies[5]?.headers['Access-Control-Allow-Origin']).toBe(page);
    clock.advance(4);
    expect((await list()).status).toBe(200);
  });

  test('however many containers serve it, all of them together, also at once', async () => {
    const file = await pageProject();
    const first = await callFrom(file)();
    const second = await callFrom(file)();
    expect([first, second].map(({ headers }) => headers['X-Rate-Limit-Remaining'])).toEqual(['4', '3']);
    const others = await Promise.all(Array.from({ length: 20 }, () => callFrom(file)()));
    expect(statusesOf(others)).toEqual([200, 200, 200, ...Array.from({ length: 17 }, () => 429)]);
    for (const { body, headers } of others.filter(({ status }) => status === 429)) {
      expect([body.key, headers['X-Rate-Limit-Remaining']]).toEqual(['too_many_requests', '0']);
    }
    // Another address, and another key, have five of their own.
    expect((await callFrom(file, '203.0.113.9')()).headers['X-Rate-Limit-Remaining']).toBe('4');
    expect((await callFrom(await pageProject())()).headers['X-Rate-Limit-Remaining']).toBe('4');
  });

  test('and costs one write a call, and none where the container knows that there are no more', async () => {
    const file = await pageProject();
    const list = callFrom(file);
    const others = callFrom(file);
    const lineOf = async () => {
      await list();
      return JSON.parse(list.lines.at(-1) ?? '');
    };
    expect(await lineOf()).toMatchObject({ status: 200, write_units: 1 });
    for (let index = 0; index < 4; index++) expect((await others()).status).toBe(200);
    expect(await lineOf()).toMatchObject({ status: 429, dynamodb_calls: 1 });
    expect(await lineOf()).toMatchObject({ status: 429, dynamodb_calls: 0 });
  });
});
