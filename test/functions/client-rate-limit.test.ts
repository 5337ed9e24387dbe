import { describe, expect, test } from 'vitest';
import { RateLimiter } from '#kernel/http/rate-limit.ts';
import { handler as listTiers } from '../../functions/client/list-client-promotion-tiers.ts';
import { handler as redeem } from '../../functions/client/redeem-from-page.ts';
import { handler as validate } from '../../functions/client/validate-from-page.ts';
import { caller } from '../support/call.ts';
import { standingClock, testDependencies } from '../support/dependencies.ts';
import { type PageProject, pageProject } from '../support/page-project.ts';
import { pageShop } from '../support/page-shop.ts';
import { onPage, page } from '../support/pages.ts';

describe('a web page calls five times in five seconds', () => {
  const clock = standingClock(new Date('2026-06-15T12:00:01.000Z'));
  /** Makes one container. */
  const callFrom = (file: PageProject, address?: string) => {
    const dependencies = testDependencies({ clock, rateLimiter: new RateLimiter() });
    const list = caller(listTiers, dependencies);
    const call = () => list({ headers: onPage(file), ...(address === undefined ? {} : { sourceIp: address }) });
    return Object.assign(call, { lines: dependencies.lines });
  };
  const statusesOf = (replies: readonly { status: number }[]) => replies.map(({ status }) => status).sort();

  test('and not a sixth time, until the next five seconds begin', async () => {
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

  test('in all containers together, also at once', async () => {
    const file = await pageProject();
    const first = await callFrom(file)();
    const second = await callFrom(file)();
    expect([first, second].map(({ headers }) => headers['X-Rate-Limit-Remaining'])).toEqual(['4', '3']);
    const others = await Promise.all(Array.from({ length: 20 }, () => callFrom(file)()));
    expect(statusesOf(others)).toEqual([200, 200, 200, ...Array.from({ length: 17 }, () => 429)]);
    for (const { body, headers } of others.filter(({ status }) => status === 429)) {
      expect([body.key, headers['X-Rate-Limit-Remaining']]).toEqual(['too_many_requests', '0']);
    }
    // Another address and another key each have their own five calls.
    expect((await callFrom(file, '203.0.113.9')()).headers['X-Rate-Limit-Remaining']).toBe('4');
    expect((await callFrom(await pageProject())()).headers['X-Rate-Limit-Remaining']).toBe('4');
  });

  test('at the cost of one write per call, and of none if the container knows that no call is left', async () => {
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

describe('each code that a web page tries counts as a call', () => {
  /** Makes one container for validation and redemption. */
  const from = ({ headers }: Awaited<ReturnType<typeof pageShop>>, clock: ReturnType<typeof standingClock>) => {
    const dependencies = testDependencies({ clock, rateLimiter: new RateLimiter() });
    const trying = (handler: typeof validate) => (count: number) =>
      caller(
        handler,
        dependencies,
      )({
        headers,
        body: {
          redeemables: Array.from({ length: count }, (_, index) => ({ object: 'voucher', id: `GUESS-${index}` })),
          order: { amount: 1_000 },
        },
      });
    return { validating: trying(validate), redeeming: trying(redeem), lines: dependencies.lines };
  };
  const openClock = () => standingClock(new Date('2026-06-15T12:00:01.000Z'));
  const left = ({ headers }: { headers: Record<string, string> }) => headers['X-Rate-Limit-Remaining'];

  test("thirty in one call are refused, and use up the window's calls", async () => {
    const [shop, clock] = [await pageShop(), openClock()];
    const { validating } = from(shop, clock);
    const refused = await validating(30);
    expect([refused.status, refused.body.key, refused.body.details]).toEqual([
      ...[400, 'invalid_payload', 'redeemables must have at most 5 entries'],
    ]);
    expect(left(refused)).toBe('0');
    expect((await validating(1)).status).toBe(429);
    // Another container also knows it.
    expect((await from(shop, clock).redeeming(1)).status).toBe(429);
    clock.advance(5);
    expect((await validating(1)).status).toBe(200);
  });

  test("five use up the window's calls in one write", async () => {
    const [shop, clock] = [await pageShop(), openClock()];
    const { validating, lines } = from(shop, clock);
    const { status, body, headers } = await validating(5);
    expect([status, body.valid, headers['X-Rate-Limit-Remaining']]).toEqual([200, false, '0']);
    expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({ write_units: 1 });
    expect((await validating(1)).status).toBe(429);
  });

  test('a call with more codes than calls left is refused, and a smaller one is answered', async () => {
    const [shop, clock] = [await pageShop(), openClock()];
    const { validating, redeeming } = from(shop, clock);
    const other = from(shop, clock);
    expect(left(await validating(2))).toBe('3');
    expect((await other.validating(4)).status).toBe(429);
    expect((await validating(4)).status).toBe(429);
    expect(left(await other.validating(2))).toBe('1');
    expect((await redeeming(2)).status).toBe(429);
    expect((await redeeming(1)).status).toBe(404);
    expect((await other.validating(1)).status).toBe(429);
  });

  test('of twenty calls with two codes at once, two are answered', async () => {
    const [shop, clock] = [await pageShop(), openClock()];
    const replies = await Promise.all(Array.from({ length: 20 }, () => from(shop, clock).validating(2)));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(2);
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200, 429]));
  });

  test('a body that is not a cart counts as all calls of a window', async () => {
    const { headers } = await pageShop();
    const dependencies = testDependencies({ clock: openClock(), rateLimiter: new RateLimiter() });
    const sent = { redeemables: [], order: { source_id: 'x'.repeat(1_000_000) } };
    expect(left(await caller(validate, dependencies)({ headers, body: sent }))).toBe('0');
    const again = await caller(validate, dependencies)({ headers, body: {} });
    expect(again.status).toBe(429);
  });
});

test('a web page learns neither the dates of a code or tier nor its name', async () => {
  const { validate: asPage, redeem: asBuyer } = await pageShop();
  const unusable = [
    { object: 'voucher', id: 'SOON' },
    { object: 'promotion_tier', id: 'promo_soon' },
  ];
  for (const one of unusable) {
    const body = { redeemables: [one], order: { amount: 1_000 }, options: { expand: ['redeemable', 'category'] } };
    const { body: said } = await asPage(body);
    const [shown] = said.redeemables;
    expect(shown).toMatchObject({ status: 'INAPPLICABLE', metadata: {}, result: { error: { details: one.id } } });
    expect(shown).not.toHaveProperty('name');
    const refused = await asBuyer(body);
    expect([refused.status, refused.body.details]).toEqual([400, one.id]);
    // Ids are random, and may contain any four digits.
    const words = JSON.stringify([said, refused.body], (key, value) => (/(^|_)id$/.test(key) ? undefined : value));
    expect(words).not.toMatch(/2031|Next year|Beans/);
  }
});
