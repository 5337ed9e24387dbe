import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { signatureHeaders } from '#addons/webhooks/sign.ts';
import { isSigned } from '../../../infra/operator/listen/listener.ts';
import { uniqueId } from '../../support/dependencies.ts';
import { killLaunched, lineOf, serve } from '../../support/npm-start.ts';
import { operate } from '../../support/operator.ts';

afterAll(killLaunched);

const program = join(import.meta.dirname, '../../../infra/operator/listen.ts');

/** Starts the command, whose lines a test waits for. */
function listen(args: readonly string[]) {
  const child = spawn(process.execPath, [program, ...args]);
  onTestFinished(() => void child.kill('SIGKILL'));
  const output = { stdout: '', stderr: '' };
  const ended = once(child, 'close');
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream].setEncoding('utf8').on('data', (text: string) => {
      output[stream] += text;
    });
  }
  const seen = (pattern: RegExp) =>
    new Promise<void>((resolve, reject) => {
      const look = () => pattern.test(output.stderr) && resolve();
      child.stderr.on('data', look);
      ended.then(() => reject(new Error(output.stderr)));
      look();
    });
  return { child, output, ended, seen };
}

async function openServer(status = 200, reply = '{}') {
  const heard: { headers: IncomingHttpHeaders; body: string }[] = [];
  const server = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      heard.push({ headers: request.headers, body: Buffer.concat(pieces).toString() });
      response.writeHead(status).end(reply);
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { heard, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

test('events are printed, verified and forwarded with their headers, and nothing stays behind', async () => {
  const [served, receiver] = await Promise.all([
    serve({ TABLE_NAME: uniqueId('tessera-listen-') }),
    openServer(503, 'no'),
  ]);
  const webhooks = async () =>
    (await (await fetch(`${served.address}/management/v1/projects/proj_demo/webhooks`)).json()) as { total: number };
  const before = (await webhooks()).total;
  const types = 'customer.created,voucher.cr*';
  const heard = listen(['--url', served.address, '--types', types, '--forward', `${receiver.url}/hooks`]);
  await heard.seen(/listening to 2 types/);
  expect((await webhooks()).total).toBe(before + 1);
  const headers = { 'x-app-id': lineOf(served.greeting, 'app id'), 'x-app-token': lineOf(served.greeting, 'token') };
  const body = JSON.stringify({ source_id: 'zoe' });
  await fetch(`${served.address}/v1/customers`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body,
  });
  await heard.seen(/customer\.created whs_\S+ is signed, .* answered 503/);
  heard.child.kill('SIGTERM');
  expect(await heard.ended).toEqual([0, null]);
  const line = heard.output.stdout.trim();
  expect(JSON.parse(line)).toMatchObject({ type: 'customer.created', data: { customer: { source_id: 'zoe' } } });
  expect(receiver.heard).toEqual([
    { body: line, headers: expect.objectContaining({ 'x-voucherify-signature': expect.any(String) }) },
  ]);
  expect((await webhooks()).total).toBe(before);
});

test('a body, an id or a time that somebody changed is not signed, by either signature', () => {
  const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
  const at = new Date('2026-11-26T12:00:00Z');
  const body = '{"a":1}';
  const keys = { secrets: [secret], tokens: ['token'] };
  const headers = signatureHeaders({ id: 'whs_1', at, body }, keys);
  expect(isSigned({ headers, body }, { secrets: ['whsec_b3RoZXI=', secret], tokens: ['other', 'token'] })).toBe(true);
  expect(isSigned({ headers, body }, { ...keys, tokens: [secret] })).toBe(false);
  expect(isSigned({ headers, body: '{"a":2}' }, keys)).toBe(false);
  expect(isSigned({ headers: { ...headers, 'webhook-id': 'whs_2' }, body }, keys)).toBe(false);
  expect(isSigned({ headers: { ...headers, 'x-voucherify-signature': 'a' }, body }, keys)).toBe(false);
  expect(isSigned({ headers: {}, body }, keys)).toBe(false);
});

test('a management key goes in its headers, and the refusal of the service is shown', async () => {
  const { url, heard } = await openServer(401, '{"details":"the key is off"}');
  const env = { MANAGEMENT_ID: 'mgm_1', MANAGEMENT_TOKEN: 'secret' };
  const run = await operate('listen', ['--url', url, '--project', 'proj_x'], { env });
  expect(run).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('answered 401: the key is off') });
  expect(heard[0]?.headers).toMatchObject({ 'x-management-id': 'mgm_1', 'x-management-token': 'secret' });
});

test.each([
  [['--types', 'customer.create'], 'is customer.created meant?'],
  [['--types', ','], '--types must name a type'],
  [['--forward', 'ftp://x'], 'is not an http or https address'],
  [['--url', 'shop.example'], 'is not an http or https address'],
])('%j is a wrong command line', async (args, words) => {
  expect(await operate('listen', args, { env: {} })).toMatchObject({ code: 2, stderr: expect.stringContaining(words) });
});
