import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RunningServer, startServer } from '../../infra/local/server.ts';
import type { Reply } from '../support/call.ts';
import { loadDemo } from '../support/demo.ts';
import { testDependencies } from '../support/dependencies.ts';
import type { TestProject } from '../support/project.ts';
import { send } from '../support/raw-http.ts';

const dependencies = testDependencies();
let server: RunningServer;
let project: TestProject;

beforeAll(async () => {
  server = await startServer({ dependencies, port: 0 });
  project = await loadDemo(dependencies);
});
afterAll(() => server.close());

/** Sends a request as the Python client 2.2.2 does, which appends a code or nothing to `/vouchers/` and follows redirects. */
async function ask(method: string, path: string, body?: object): Promise<Pick<Reply, 'status' | 'body'>> {
  const headers = { ...project.credentials, 'content-type': 'application/json' };
  const sent = body === undefined ? { method, headers } : { method, headers, body: JSON.stringify(body) };
  const response = await fetch(server.baseUrl + path, sent);
  return { status: response.status, body: await response.json() };
}

describe('a path that an older client ends with a slash', () => {
  test('creates a voucher whose code the service draws', async () => {
    const discount = { type: 'PERCENT', percent_off: 10 };
    const { status, body } = await ask('POST', '/v1/vouchers/', { type: 'DISCOUNT_VOUCHER', discount });
    expect([status, body.discount]).toEqual([200, discount]);
    expect(body.code).not.toBe('');
  });

  test('lists vouchers, with the query of the list', async () => {
    const { status, body } = await ask('GET', '/v1/vouchers/?limit=1&campaign=Early%20tide');
    const campaigns = body.vouchers?.map(({ campaign }: { campaign: string }) => campaign);
    expect([status, campaigns]).toEqual([200, ['Early tide']]);
  });

  test('creates a customer, and lists customers', async () => {
    const created = await ask('POST', '/v1/customers/', { source_id: 'py-1', name: 'Runa' });
    expect(created).toMatchObject({ status: 200, body: { source_id: 'py-1', name: 'Runa' } });
    const { body } = await ask('GET', '/v1/customers/?limit=100');
    expect(body.customers.map(({ source_id }: { source_id: string | null }) => source_id)).toContain('py-1');
  });

  test('is answered with the path of the list, and never leads elsewhere', async () => {
    const { status, headers } = await send(server.baseUrl, '/v1/orders/?limit=2', { headers: project.credentials });
    expect([status, headers.location]).toEqual([308, '/v1/orders?limit=2']);
    const others = ['/v1/orders/A/', '//v1/orders/', '/v1/nothing/'];
    for (const path of others) expect((await send(server.baseUrl, path)).status).toBe(404);
  });
});
