import { describe, expect, test } from 'vitest';
import { RateLimiter } from '#kernel/http/rate-limit.ts';
import { handler as listTiers } from '../../functions/client/list-client-promotion-tiers.ts';
import { handler as publish } from '../../functions/client/publish-from-page.ts';
import { handler as sendEvent } from '../../functions/client/send-client-event.ts';
import { handler as listActivities } from '../../functions/customers/list-customer-activities.ts';
import { handler as getPublications } from '../../functions/publications/list-publications.ts';
import { operations } from '../../infra/operations.ts';
import { caller } from '../support/call.ts';
import { testDependencies } from '../support/dependencies.ts';
import { exported } from '../support/exported.ts';
import { freeCode, type PageProject, pageProject, visit } from '../support/page-project.ts';
import { onPage, page } from '../support/pages.ts';
import { credentialsOf } from '../support/project.ts';
import { bearer, issueToken } from '../support/tokens.ts';

describe('replies to web pages', () => {
  test('show tiers without their turnover and rules', async () => {
    const file = await pageProject();
    const { status, body } = await caller(listTiers)({ headers: onPage(file), query: 'is_available=true' });
    expect([status, body.total, body.tiers[0].name]).toEqual([200, 1, 'Two bags']);
    expect(JSON.stringify(body)).not.toMatch(/summary|700|val_1/);
  });

  test('identify nobody in an event or publication, and servers see that it came from a web page', async () => {
    const file = await pageProject();
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

  test('are repeated for one idempotency key', async () => {
    const file = await pageProject();
    const headers = { ...onPage(file), 'idempotency-key': 'click-1' };
    const [first, second] = [
      await caller(publish)({ headers, body: freeCode }),
      await caller(publish)({ headers, body: freeCode }),
    ];
    expect(second.body).toEqual(first.body);
  });
});

describe('a project switches on what web pages may do', () => {
  test.each([
    ['listing', listTiers, {}],
    ['events', sendEvent, { body: visit }],
    ['publication', publish, { body: freeCode }],
  ] as const)('%s', async (name, handler, request) => {
    const off = await pageProject({ [name]: false });
    const refused = await caller(handler)({ headers: onPage(off), ...request });
    expect(refused.body).toMatchObject({ code: 403, key: 'client_side_disabled' });
    expect(refused.body.details).toContain(`client.${name}`);
    const token = bearer(await issueToken(credentialsOf(off), 'client_api'));
    expect((await caller(handler)({ headers: token, ...request })).status).toBe(403);
    const others = { events: false, publication: false, listing: false, [name]: true };
    const on = await pageProject(others);
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
  const withOrigin = (file: PageProject) => ({ ...credentialsOf(file), origin: page });

  test('publishes on client paths with its own keys, at any rate and any setting of the switches', async () => {
    const file = await pageProject({ publication: false });
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

  test('has no other client path', async () => {
    const file = await pageProject();
    const reply = await caller(sendEvent)({ headers: withOrigin(file), body: visit });
    expect([reply.status, reply.body.key]).toEqual([401, 'unauthorized']);
  });
});
test('a project file has the disabled switches, also when it is exported', async () => {
  const { project } = await pageProject({ publication: false });
  expect((await exported(project.id)).project.client).toEqual({
    listing: true,
    events: true,
    referrals: false,
    publication: false,
    redemption: false,
    customers: false,
    customer_metadata: false,
    wallet: false,
  });
});
