import { request } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listRequestLines } from '#kernel/http/route.ts';
import { type RunningServer, startServer } from '../../../infra/local/server.ts';
import { operations } from '../../../infra/operations.ts';
import { testDependencies } from '../../support/dependencies.ts';
import { loadProject, type TestProject } from '../../support/project.ts';
import { send } from '../../support/raw-http.ts';

const dependencies = testDependencies();
let project: TestProject;
let server: RunningServer;

beforeAll(async () => {
  project = await loadProject({ vouchers: [{ code: 'PLAIN', type: 'DISCOUNT_VOUCHER' }] });
  const [app_id, app_token] = ['x-app-id', 'x-app-token'].map((name) => String(project.credentials[name]));
  const demoKey = { app_id: String(app_id), app_token: String(app_token) };
  server = await startServer({ dependencies, port: 0, allowedHosts: ['tessera'], demoKey });
});

afterAll(() => server.close());

const invitation = () => JSON.stringify({ email: 'a@mail.example', first_name: 'A', last_name: 'B', projects: {} });
const json = { 'Content-Type': 'application/json' };
const invite = (headers: Record<string, string>) =>
  send(server.baseUrl, '/management/v1/projects/users/invite', {
    method: 'POST',
    headers: { ...json, ...headers },
    body: invitation(),
  });

describe('a caller who uses an allowed name', () => {
  test.each(['tessera', 'tessera:3000', 'TESSERA:80'])('as %s is answered', async (host) => {
    const reply = await send(server.baseUrl, '/v1/vouchers/PLAIN', { headers: { ...project.credentials, host } });
    expect(reply.status).toBe(200);
  });

  test('is the only one besides callers that use the names of this machine', async () => {
    for (const host of ['other', 'tessera.example', 'xtessera', 'tessera:x', 'tessera@other']) {
      const reply = await send(server.baseUrl, '/v1/vouchers/PLAIN', { headers: { ...project.credentials, host } });
      expect([host, reply.status]).toEqual([host, 421]);
      expect(reply.text).toContain('ALLOWED_HOSTS');
    }
  });

  test('needs a key for management, which is open to this machine only', async () => {
    expect((await invite({})).status).toBe(400);
    const reply = await invite({ host: 'tessera' });
    expect([reply.status, JSON.parse(reply.text).details]).toEqual([401, expect.stringContaining('X-Management-Id')]);
  });

  test('sees no key of the project on the pages for people', async () => {
    const token = String(project.credentials['x-app-token']);
    const home = await send(server.baseUrl, '/', { headers: { host: 'tessera' } });
    expect([home.status, home.headers.location]).toEqual([302, '/console']);
    for (const page of ['/console', '/docs/start.js']) {
      const [here, there] = await Promise.all(['localhost', 'tessera'].map((host) => fetchPage(page, host)));
      expect([here?.includes(token), there?.includes(token)]).toEqual([true, false]);
    }
  });
});

function fetchPage(path: string, host: string): Promise<string> {
  const headers = { host, 'accept-encoding': 'gzip' };
  return new Promise((resolve, reject) => {
    request(`${server.baseUrl}${path}`, { headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk) => chunks.push(chunk));
      response.on('end', () => resolve(gunzipSync(Buffer.concat(chunks)).toString()));
    })
      .on('error', reject)
      .end();
  });
}

describe('a page of another site', () => {
  const origin = 'http://evil.example';

  test('may read client paths only, because no other path allows it', async () => {
    const paths = operations.flatMap(({ route }) => listRequestLines(route).map(({ path }) => path));
    const others = [...new Set(paths)].filter((path) => !path.startsWith('/client/'));
    expect(others.length).toBeGreaterThan(50);
    const pages = ['/', '/docs', '/docs/start.js', '/console', '/openapi.json', '/healthz', '/nowhere'];
    for (const path of [...others.map((one) => one.replace(/\{\w+\+?\}/g, 'x')), ...pages]) {
      for (const method of ['OPTIONS', 'GET']) {
        const headers = { origin, 'access-control-request-method': 'POST' };
        const reply = await send(server.baseUrl, path, { method, headers });
        const shared = Object.keys(reply.headers).filter((name) => name.startsWith('access-control-'));
        expect([method, path, shared]).toEqual([method, path, []]);
      }
    }
  });

  test.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', ''])(
    'cannot manage anything by a request without preflight: %j',
    async (type) => {
      const reply = await invite({ origin, 'Content-Type': type });
      expect(reply.status).toBe(415);
    },
  );
});

test('an unknown path is logged with the path', async () => {
  await send(server.baseUrl, '/v2/nope?code=secret');
  const entry = JSON.parse(dependencies.lines.at(-1) ?? '');
  expect(entry).toMatchObject({ status: 404, method: 'GET', path: '/v2/nope' });
});
