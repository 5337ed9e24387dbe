import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { handler as listTiers } from '../../functions/client/list-client-promotion-tiers.ts';
import { handler as publish } from '../../functions/client/publish-from-page.ts';
import { handler as sendEvent } from '../../functions/client/send-client-event.ts';
import { handler as listActivities } from '../../functions/customers/list-customer-activities.ts';
import { handler as getPublications } from '../../functions/publications/list-publications.ts';
import { type RunningServer, startServer } from '../../infra/local/server.ts';
import { operations } from '../../infra/operations.ts';
import { RateLimiter } from '../../lib/http/rate-limit.ts';
import { exportProject } from '../../lib/project-file/export.ts';
import { Table } from '../../lib/table/table.ts';
import { caller } from '../support/call.ts';
import { standingClock, testDependencies } from '../support/dependencies.ts';
import { credentialsOf, loadFile, projectFile } from '../support/project.ts';
import { bearer, issueToken } from '../support/tokens.ts';

const page = 'https://shop.example';
const foreign = 'https://elsewhere.example';

function fileWith(client: object | undefined = undefined) {
  const file = projectFile({
    campaigns: [
      { id: 'camp_p', name: 'Beans', campaign_type: 'PROMOTION', type: 'STATIC' },
      { id: 'camp_c', name: 'Codes', campaign_type: 'DISCOUNT_COUPONS', type: 'STATIC' },
    ],
    validation_rules: [{ id: 'val_1', name: 'One' }],
    validation_rules_assignments: [
      { rule_id: 'val_1', related_object_type: 'promotion_tier', related_object_id: 'promo_1' },
    ],
    promotion_tiers: [
      {
        id: 'promo_1',
        name: 'Two bags',
        campaign_id: 'camp_p',
        hierarchy: 1,
        summary: { redemptions: { total_redeemed: 7 }, orders: { total_amount: 700, total_discount_amount: 70 } },
      },
    ],
    vouchers: [{ code: 'FREE', type: 'DISCOUNT_VOUCHER', campaign_id: 'camp_c' }],
    customers: [
      { id: 'cust_1', source_id: 'crm-1', name: 'Ingrid', email: 'ingrid@post.example', metadata: { debts: 5 } },
    ],
    event_schema: [{ name: 'visit', metadata: { page: 'string' } }],
  });
  const { id } = file.project;
  const key = {
    client_application_id: `page-${id}`,
    client_token: `public-token-${id}`,
    name: 'Shop',
    origins: [page],
  };
  return { ...file, project: { ...file.project, ...(client ? { client } : {}) }, client_keys: [key] };
}

type File = ReturnType<typeof fileWith>;

const onPage = ({ client_keys: [key] }: File, origin = page) => ({
  'x-client-application-id': key?.client_application_id ?? '',
  'x-client-token': key?.client_token ?? '',
  origin,
});

async function loaded(client?: object): Promise<File> {
  const file = fileWith(client);
  await loadFile(file);
  return file;
}

const visit = { event: 'visit', customer: { source_id: 'crm-1' }, metadata: { page: '/beans' } };
const freeCode = { campaign: { name: 'Codes' }, customer: { source_id: 'crm-1' } };

describe('what pages are answered', () => {
  test('has tiers without their turnover and their rules', async () => {
    const file = await loaded();
    const { status, body } = await caller(listTiers)({ headers: onPage(file), query: 'is_available=true' });
    expect([status, body.total, body.tiers[0].name]).toEqual([200, 1, 'Two bags']);
    expect(JSON.stringify(body)).not.toMatch(/summary|700|val_1/);
  });

  test('tells nobody who a customer is, whose event or publication it is, and servers see it as of a page', async () => {
    const file = await loaded();
    const headers = onPage(file);
    const event = await caller(sendEvent)({ headers, body: visit });
    const publication = await caller(publish)({ headers, body: freeCode });
    for (const { status, body } of [event, publication]) {
      expect([status, body.customer]).toMatchObject([
        200,
        { id: 'cust_1', source_id: 'crm-1', name: null, email: null },
      ]);
      expect(JSON.stringify(body)).not.toMatch(/Ingrid|post\.example|debts/);
    }
    expect(event.body).toMatchObject({ type: 'visit', metadata: { page: '/beans' } });
    expect(publication.body.voucher.code).toBe('FREE');
    const asServer = { headers: credentialsOf(file) };
    const activities = await caller(listActivities)({ ...asServer, params: { customerId: 'crm-1' } });
    expect(
      activities.body.data.find(({ type }: { type: string }) => type === 'customer.custom_event').data,
    ).toMatchObject({
      event_source: { channel: 'CLIENT_API', api_key: { name: 'Shop' } },
    });
    const published = await caller(getPublications)(asServer);
    expect(published.body.publications[0].id).toBe(publication.body.id);
  });

  test('is once what was asked twice with one idempotency key', async () => {
    const file = await loaded();
    const headers = { ...onPage(file), 'idempotency-key': 'click-1' };
    const [first, second] = [
      await caller(publish)({ headers, body: freeCode }),
      await caller(publish)({ headers, body: freeCode }),
    ];
    expect(second.body).toEqual(first.body);
  });
});

describe('a project says what pages may do', () => {
  test.each([
    ['listing', listTiers, {}],
    ['events', sendEvent, { body: visit }],
    ['publication', publish, { body: freeCode }],
  ] as const)('%s', async (name, handler, request) => {
    const off = await loaded({ [name]: false });
    const refused = await caller(handler)({ headers: onPage(off), ...request });
    expect(refused.body).toMatchObject({ code: 403, key: 'client_side_disabled' });
    expect(refused.body.details).toContain(`client.${name}`);
    const token = bearer(await issueToken(credentialsOf(off), 'client_api'));
    expect((await caller(handler)({ headers: token, ...request })).status).toBe(403);
    const others = { listing: false, events: false, publication: false, [name]: true };
    const on = await loaded(others);
    expect((await caller(handler)({ headers: onPage(on), ...request })).status).toBe(200);
  });

  test('and every client path that writes or lists has a switch', () => {
    const client = operations.filter(({ route }) => route.path.startsWith('/client/v1/'));
    expect(client.length).toBeGreaterThanOrEqual(7);
    for (const { route } of client.filter(({ name }) => !/^(?:validate|qualify)-/.test(name)))
      expect([route.authentication, typeof route.clientSwitch]).toEqual(['client', 'string']);
  });
});

describe('a server', () => {
  const withOrigin = (file: File) => ({ ...credentialsOf(file), origin: page });

  test('publishes as pages do, with its own keys, whatever pages may do and how often', async () => {
    const file = await loaded({ publication: false });
    const call = caller(publish, testDependencies({ rateLimiter: new RateLimiter() }));
    const replies = [];
    const body = { ...freeCode, source_id: 'once' };
    for (let index = 0; index < 6; index++) replies.push(await call({ headers: withOrigin(file), body }));
    expect(replies.map((reply) => reply.status)).toEqual(Array.from({ length: 6 }, () => 200));
    expect(replies[0]?.body).toMatchObject({ voucher: { code: 'FREE' }, customer: { id: 'cust_1', name: null } });
    expect(replies[0]?.headers['Access-Control-Allow-Origin']).toBeUndefined();
    const wrong = { ...credentialsOf(file), 'x-app-token': 'wrong' };
    expect((await call({ headers: { ...onPage(file), ...wrong }, body })).status).toBe(401);
  });

  test('has no other path of pages', async () => {
    const file = await loaded();
    const reply = await caller(sendEvent)({ headers: withOrigin(file), body: visit });
    expect([reply.status, reply.body.key]).toEqual([401, 'unauthorized']);
  });
});

test('a project file has the switches that are off, also when it is exported', async () => {
  const { project } = await loaded({ publication: false });
  const folder = await mkdtemp(join(tmpdir(), 'tessera-'));
  try {
    const { dynamodb, tableName, clock } = testDependencies();
    await exportProject(new Table(dynamodb, tableName, clock()), project.id, join(folder, 'out.json'));
    const exported = JSON.parse(await readFile(join(folder, 'out.json'), 'utf8'));
    expect(exported.project.client).toEqual({
      events: true,
      listing: true,
      publication: false,
      redemption: false,
      wallet: false,
    });
  } finally {
    await rm(folder, { recursive: true });
  }
});

describe('a page calls five times in five seconds', () => {
  const clock = standingClock(new Date('2026-06-15T12:00:01.000Z'));
  /** One container. */
  const callFrom = (file: File, address?: string) => {
    const dependencies = testDependencies({ clock, rateLimiter: new RateLimiter() });
    const list = caller(listTiers, dependencies);
    const call = () => list({ headers: onPage(file), ...(address === undefined ? {} : { sourceIp: address }) });
    return Object.assign(call, { lines: dependencies.lines });
  };
  const statusesOf = (replies: readonly { status: number }[]) => replies.map(({ status }) => status).sort();

  test('and not a sixth time, until the next five begin', async () => {
    const list = callFrom(await loaded());
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
    const file = await loaded();
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
    expect((await callFrom(await loaded())()).headers['X-Rate-Limit-Remaining']).toBe('4');
  });

  test('and costs one write a call, and none where the container knows that there are no more', async () => {
    const file = await loaded();
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

describe('between origins, over HTTP,', () => {
  let server: RunningServer;
  let file: File;
  beforeAll(async () => {
    file = await loaded();
    server = await startServer({ dependencies: testDependencies(), port: 0 });
  });
  afterAll(() => server.close());

  const preflight = (path: string, origin = page) =>
    fetch(server.baseUrl + path, {
      method: 'OPTIONS',
      headers: {
        Origin: origin,
        'Access-Control-Request-Method': 'POST',
        'Access-Control-Request-Headers': 'x-client-token',
      },
    });

  test('a browser that asks beforehand is told what a client path takes', async () => {
    const reply = await preflight('/client/v1/events');
    expect([reply.status, await reply.text()]).toEqual([204, '']);
    expect(Object.fromEntries(reply.headers)).toMatchObject({
      'access-control-allow-origin': page,
      'access-control-allow-methods': 'POST',
      'access-control-allow-headers': expect.stringMatching(/X-Client-Token.*X-Voucherify-Channel/),
      'access-control-max-age': '7200',
      vary: 'Origin',
    });
    expect(reply.headers.get('access-control-allow-credentials')).toBeNull();
  });

  test.each(['/v1/events', '/client/v1/nothing', '/management/v1/projects/users/invite', '/client/v1'])(
    'nothing is said of %s',
    async (path) => {
      const reply = await preflight(path);
      expect(reply.status).toBeGreaterThanOrEqual(404);
      expect([...reply.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
    },
  );

  test('a page of the key reads its reply, refusals too, and another page nothing', async () => {
    const ask = (origin: string, body: object) =>
      fetch(`${server.baseUrl}/client/v1/events`, {
        method: 'POST',
        headers: { ...onPage(file, origin), 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      });
    const [taken, wrong, other] = [await ask(page, visit), await ask(page, {}), await ask(foreign, visit)];
    expect([taken.status, wrong.status, other.status]).toEqual([200, 400, 401]);
    for (const reply of [taken, wrong]) expect(reply.headers.get('access-control-allow-origin')).toBe(page);
    expect(taken.headers.get('access-control-expose-headers')).toContain('X-Request-Id');
    expect(other.headers.get('access-control-allow-origin')).toBeNull();
  });

  test('a reply of a server path is for no page', async () => {
    const reply = await fetch(`${server.baseUrl}/v1/promotions/tiers`, {
      headers: { ...credentialsOf(file), Origin: page },
    });
    expect([reply.status, reply.headers.get('access-control-allow-origin')]).toEqual([200, null]);
  });
});
