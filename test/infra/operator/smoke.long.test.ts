import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, expect, test } from 'vitest';
import { steps } from '../../../infra/operator/smoke/steps.ts';
import { uniqueId } from '../../support/dependencies.ts';
import { killLaunched, lineOf, serve } from '../../support/npm-start.ts';
import { operate } from '../../support/operator.ts';

const servers: Server[] = [];
afterAll(async () => {
  killLaunched();
  for (const server of servers) server.close();
});

const smoke = (url: string, env: Record<string, string> = {}) =>
  operate('smoke', [url], { env: { APP_ID: 'demo-app', APP_TOKEN: 'demo-token-for-local-use-only', ...env } });

async function answering(status: number, body: string) {
  const server = createServer((_, reply) => reply.writeHead(status, { 'content-type': 'application/json' }).end(body));
  servers.push(server);
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test('all calls succeed against npm start, and leave none of their objects in lists', async () => {
  const served = await serve({ TABLE_NAME: uniqueId('tessera-smoke-') });
  const run = await smoke(served.address);
  expect(run).toMatchObject({ code: 0, stderr: '' });
  expect(run.stdout.match(/^ok /gm)).toHaveLength(steps.length);
  expect(steps.length).toBeGreaterThanOrEqual(30);
  const headers = { 'x-app-id': lineOf(served.greeting, 'app id'), 'x-app-token': lineOf(served.greeting, 'token') };
  for (const list of ['vouchers', 'campaigns', 'customers', 'products', 'categories', 'validation-rules']) {
    const reply = await fetch(`${served.address}/v1/${list}?limit=100`, { headers });
    expect([list, (await reply.text()).includes('smoke-')]).toEqual([list, false]);
  }
});

test('a service that answers everything with an empty object fails each call, and the command', async () => {
  const run = await smoke(await answering(200, '{}'));
  expect(run.code).toBe(1);
  expect(run.stdout).not.toMatch(/^ok /m);
  expect(run.stderr).toContain(`${steps.length} of ${steps.length} calls failed`);
});

test('a refusal is shown with its status and body', async () => {
  const run = await smoke(await answering(503, '{"message":"Service Unavailable"}'));
  expect(run.stdout).toContain('GET /openapi.json answered 503, not 200: {"message":"Service Unavailable"}');
});

test('an address where nothing answers is one fault', async () => {
  const closed = await answering(200, '{}');
  await new Promise((done) => servers.pop()?.close(done));
  expect(await smoke(closed)).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('ECONNREFUSED') });
});

test.each([
  ['shop.example', {}, 2, 'not an http or https address'],
  ['http://127.0.0.1:1', { APP_TOKEN: '' }, 1, 'APP_TOKEN'],
])('%j with %j ends with %i', async (url, env, code, words) => {
  expect(await smoke(url, env)).toMatchObject({ code, stderr: expect.stringContaining(words) });
});
