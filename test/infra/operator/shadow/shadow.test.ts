import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import demo from '../../../../infra/local/demo-project.json' with { type: 'json' };
import { startProxy, stopProxy } from '../../../../infra/operator/shadow/proxy.ts';
import { replay } from '../../../../infra/operator/shadow/replay.ts';
import { Tally } from '../../../../infra/operator/shadow/tally.ts';
import { demoKey } from '../../../support/migration.ts';
import { killLaunched, serve } from '../../../support/npm-start.ts';
import { operate } from '../../../support/operator.ts';
import { projectFile, withFile } from '../../../support/project.ts';
import { isLong } from '../../../support/sampled.ts';
import { serveReplies } from '../../../support/served-replies.ts';

const timeoutInMs = 20_000;
const carts = isLong ? 2_000 : 100;

let url: string;
let engine: string;
let folder: string;
beforeAll(async () => {
  const served = await serve({});
  url = served.address;
  engine = served.engine;
  folder = await mkdtemp(join(tmpdir(), 'tessera-shadow-'));
}, 60_000);
afterAll(async () => {
  killLaunched();
  await rm(folder, { recursive: true });
});

const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

/** Loads the demo as another project beside it, and returns its service. */
async function projectLikeDemo(change: (lists: typeof demo) => unknown = () => {}) {
  const lists = structuredClone(demo);
  change(lists);
  const { app_keys, management_keys, users, ...others } = lists;
  const file = { ...others, ...projectFile() };
  const env = { DYNAMODB_ENDPOINT: engine, TABLE_NAME: 'tessera' };
  const { code, stderr } = await withFile(file, (path) => operate('load', [path], { env }));
  expect([code, code === 0 ? '' : stderr]).toEqual([0, '']);
  const [key] = file.app_keys;
  return { url, appId: key?.app_id ?? '', appToken: key?.app_token ?? '', timeoutInMs };
}

const counts = () => ({ url, ...demoKey, timeoutInMs });

const cart = fc.record({
  beans: fc.integer({ min: 0, max: 6 }),
  filters: fc.integer({ min: 0, max: 3 }),
  tier: fc.constantFrom('promo_two_bags', 'promo_four_bags'),
  code: fc.constantFrom('SPILT-MY-CUP', 'TIN-LANTERN', 'no such code'),
  isQualified: fc.boolean(),
});

type Cart = typeof cart extends fc.Arbitrary<infer T> ? T : never;

const line = (product_id: string, quantity: number) => (quantity > 0 ? [{ product_id, quantity }] : []);

function requestOf({ beans, filters, tier, code, isQualified }: Cart) {
  const order = { items: [...line('prod_beans', beans), ...line('prod_filter', filters)] };
  const redeemables = [
    { object: 'promotion_tier', id: tier },
    { object: 'voucher', id: code },
  ];
  if (isQualified) return { path: '/v1/qualifications', body: { order, scenario: 'PRODUCTS', tracking_id: 'till' } };
  return { path: '/v1/validations', body: { order, redeemables } };
}

async function recorded(requests: readonly unknown[]): Promise<string> {
  const path = join(folder, `requests-${crypto.randomUUID()}.jsonl`);
  await writeFile(path, requests.map((request) => `${JSON.stringify(request)}\n`).join(''));
  return path;
}

describe('recorded requests', () => {
  test('show no difference between equal projects, and only their own carts after a change of a rule', {
    timeout: 240_000,
  }, async () => {
    const [equal, changed] = await Promise.all([
      projectLikeDemo(),
      projectLikeDemo(({ validation_rules }) => {
        const [rule] = validation_rules;
        (rule as { rules: { 1: { rules: { 1: { conditions: object } } } } }).rules[1].rules[1].conditions = {
          $more_than_or_equal: [3],
        };
      }),
    ]);
    const drawn = fc.sample(cart, { numRuns: carts, seed: 7 });
    const path = await recorded(drawn.map(requestOf));

    const same = new Tally();
    await replay(path, { counts: counts(), other: equal }, same);
    expect(same.summary).toBe(`${carts} requests were compared, 0 of them with differences\n`);

    const other = new Tally();
    const seen = new Set<number>();
    const add = other.add.bind(other);
    other.add = (request, one, two) => {
      const found = add(request, one, two);
      if (found.length > 0) seen.add(Number(/line (\d+)/.exec(request)?.[1]) - 1);
      return found;
    };
    await replay(path, { counts: counts(), other: changed }, other);
    const meets = drawn.flatMap(({ beans, tier, isQualified }, index) =>
      beans === 2 && !isQualified && tier === 'promo_two_bags' ? [index] : [],
    );
    expect(meets.length).toBeGreaterThan(0);
    expect([...seen].filter((index) => !drawn[index]?.isQualified).sort((a, b) => a - b)).toEqual(meets);
    expect([...seen].filter((index) => drawn[index]?.beans !== 2)).toEqual([]);
    expect(other.summary).toContain('promotion_tier promo_two_bags: applies → ');
  });

  test('are left out if they change something, lock, or are no requests, and the summary says why', async () => {
    const service = await serveReplies(() => ({ json: { valid: true } }));
    open.push(service.close);
    const other = { url: service.url, appId: 'a', appToken: 'b', timeoutInMs };
    const path = await recorded([
      { path: '/v1/validations', body: {}, status: 200, reply: { valid: false } },
      { path: '/v1/redemptions', body: {}, status: 200, reply: {} },
      { path: '/v1/validations', body: { session: { type: 'LOCK' } }, status: 200, reply: {} },
      { path: '/v1/validations', body: {} },
      { nothing: true },
    ]);
    const tally = new Tally();
    await replay(path, { counts: undefined, other }, tally);
    expect(service.asked.length).toBe(1);
    expect(
      tally.summary
        .split('\n')
        .filter((text) => text !== '')
        .sort(),
    ).toEqual(
      [
        '1 requests were compared, 1 of them with differences',
        '1 requests were not compared: it has a session, which would lock',
        '1 requests were not compared: it has no recorded answer, and --to names no service',
        '1 requests were not compared: it is no validation or qualification',
        '1 requests were not compared: the line is no recorded request',
        '1 × valid false → true',
        '  line 1 /v1/validations valid: false → true',
      ].sort(),
    );
  });
});

describe('the proxy before a till', () => {
  async function proxyBetween(to: string, other: string, timeout = timeoutInMs) {
    const tally = new Tally();
    const lines: string[] = [];
    const proxy = startProxy({
      to,
      other: { url: other, appId: 'other', appToken: 'secret', timeoutInMs: timeout },
      tally,
      onAnswer: (text) => lines.push(text),
    });
    proxy.listen(0, '127.0.0.1');
    await once(proxy, 'listening');
    let isStopped = false;
    const stop = async () => {
      if (!isStopped) await stopProxy(proxy);
      isStopped = true;
    };
    open.push(stop);
    return { address: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`, tally, lines, stop };
  }

  const validate = (address: string, body: object = { order: { amount: 1 } }) =>
    fetch(`${address}/v1/validations?expand=order`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-app-id': 'till', 'x-app-token': 'own' },
      body: JSON.stringify(body),
    });

  test('answers as the service that counts, and asks the other one with its own credentials', async () => {
    const counting = await serveReplies(() => ({ json: { valid: true }, headers: { 'x-from': 'counting' } }));
    const other = await serveReplies(() => ({ json: { valid: false } }));
    open.push(counting.close, other.close);
    const { address, tally, lines, stop } = await proxyBetween(counting.url, other.url);
    const response = await validate(address);
    expect([response.status, response.headers.get('x-from'), await response.json()]).toEqual([
      200,
      'counting',
      { valid: true },
    ]);
    await stop();
    expect(counting.asked[0]?.headers).toMatchObject({ 'x-app-id': 'till', 'x-app-token': 'own' });
    expect(other.asked[0]?.headers).toMatchObject({ 'x-app-id': 'other', 'x-app-token': 'secret' });
    expect(tally.summary).toContain('valid true → false');
    expect(lines.map((text) => JSON.parse(text))).toEqual([
      {
        method: 'POST',
        path: '/v1/validations?expand=order',
        body: { order: { amount: 1 } },
        status: 200,
        reply: { valid: true },
      },
    ]);
  });

  test('forwards redemptions and locks, and asks the other one nothing', async () => {
    const counting = await serveReplies(({ method, path }) => ({ status: 201, json: { method, path } }));
    const other = await serveReplies(() => ({ json: {} }));
    open.push(counting.close, other.close);
    const { address, stop } = await proxyBetween(counting.url, other.url);
    const redeemed = await fetch(`${address}/v1/redemptions`, { method: 'POST', body: '{}' });
    expect([redeemed.status, await redeemed.json()]).toEqual([201, { method: 'POST', path: '/v1/redemptions' }]);
    expect((await validate(address, { session: { type: 'LOCK' } })).status).toBe(201);
    await stop();
    expect(other.asked.length).toBe(0);
  });

  test.each([
    ['is down', async () => 'http://127.0.0.1:9'],
    [
      'never answers',
      async () => {
        const silent = await serveReplies(() => new Promise(() => {}));
        open.push(silent.close);
        return silent.url;
      },
    ],
    [
      'breaks off',
      async () => {
        const broken = await serveReplies(() => ({ text: '{', cutOff: true }));
        open.push(broken.close);
        return broken.url;
      },
    ],
  ])('gives the till its answer if the other one %s', async (_, otherUrl) => {
    const counting = await serveReplies(() => ({ json: { valid: true } }));
    open.push(counting.close);
    const { address, tally, stop } = await proxyBetween(counting.url, await otherUrl(), 200);
    const answers = await Promise.all(Array.from({ length: 60 }, async () => (await validate(address)).json()));
    expect(answers).toEqual(Array.from({ length: 60 }, () => ({ valid: true })));
    await stop();
    expect(tally.compared).toBe(0);
    expect([...tally.left.values()].reduce((sum, some) => sum + some, 0)).toBe(60);
  });

  test('answers 502 if the service that counts is down', async () => {
    const { address } = await proxyBetween('http://127.0.0.1:9', 'http://127.0.0.1:9');
    expect((await validate(address)).status).toBe(502);
  });

  test('records lines that a replay takes', async () => {
    const counting = await serveReplies(() => ({ json: { valid: true } }));
    open.push(counting.close);
    const { address, lines, stop } = await proxyBetween(counting.url, counting.url);
    await validate(address);
    await stop();
    const path = join(folder, 'lines.jsonl');
    await writeFile(path, `${lines.join('\n')}\n`);
    expect((await readFile(path, 'utf8')).length).toBeGreaterThan(0);
    const tally = new Tally();
    await replay(path, { counts: undefined, other: { ...counts(), url: counting.url } }, tally);
    expect(tally.summary).toBe('1 requests were compared, 0 of them with differences\n');
  });
});
