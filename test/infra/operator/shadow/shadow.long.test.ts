import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import demo from '../../../../infra/local/demo-project.json' with { type: 'json' };
import { replay } from '../../../../infra/operator/shadow/replay.ts';
import { Tally } from '../../../../infra/operator/shadow/tally.ts';
import { demoKey } from '../../../support/migration.ts';
import { killLaunched, serve } from '../../../support/npm-start.ts';
import { operate } from '../../../support/operator.ts';
import { projectFile, withFile } from '../../../support/project.ts';
import { isLong } from '../../../support/sampled.ts';
import { serveReplies } from '../../../support/served-replies.ts';

const timeoutInMs = 20_000;
/** `SHADOW_CARTS=10000` compares as many as a till has in a day. */
const carts = Number(process.env.SHADOW_CARTS ?? (isLong ? 500 : 100));

let url: string;
let engine: string;
let folder: string;
beforeAll(async () => {
  const served = await serve({});
  url = served.address;
  engine = served.engine;
  folder = await mkdtemp(join(tmpdir(), 'tessera-shadow-'));
});
afterAll(async () => {
  killLaunched();
  await rm(folder, { recursive: true });
});

const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

/** Loads the demo as another project of the same table, and returns its service. */
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
    timeout: 7_200_000,
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
        '1 requests were not compared: it is not a validation or qualification',
        '1 requests were not compared: the line is not a recorded request',
        '1 × valid false → true',
        '  line 1 /v1/validations valid: false → true',
      ].sort(),
    );
  });
});
