import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { gatewayBodyLimitInBytes } from '../../../infra/local/messages.ts';
import { type RunningServer, startServer } from '../../../infra/local/server.ts';
import { testDependencies } from '../../support/dependencies.ts';
import { loadProject, type TestProject } from '../../support/project.ts';
import { type Received, send as sendTo, socketTo } from '../../support/raw-http.ts';

const codes = ['PLAIN', 'A/B #1é', '50%20off', 'a+b'];

const dependencies = testDependencies();
let project: TestProject;
let server: RunningServer;

beforeAll(async () => {
  project = await loadProject({ vouchers: codes.map((code) => ({ code, type: 'DISCOUNT_VOUCHER', active: false })) });
  server = await startServer({ dependencies, port: 0 });
});

afterAll(() => server.close());

const send = (path: string, { headers, ...sent }: Parameters<typeof sendTo>[2] = {}) =>
  sendTo(server.baseUrl, path, { ...sent, headers: { ...project.credentials, ...headers } });

function errorOf({ status, headers, text }: Received) {
  const body = JSON.parse(text);
  expect(body).toMatchObject({ code: status, request_id: headers['x-request-id'] });
  expect(headers['content-type']).toBe('application/json; charset=utf-8');
  return [status, body.key];
}

describe('a path', () => {
  test.each([
    ['PLAIN', 'PLAIN'],
    ['%50LAIN', 'PLAIN'],
    ['A%2FB%20%231%C3%A9', 'A/B #1é'],
    ['50%2520off', '50%20off'],
    ['a+b', 'a+b'],
  ])('%s is decoded exactly once, to %s', async (encoded, code) => {
    const reply = await send(`/v1/vouchers/${encoded}`);
    expect(reply.status).toBe(200);
    expect(JSON.parse(reply.text).code).toBe(code);
  });

  test.each(['%2520', '50%20off'])('%s is not decoded twice or never', async (encoded) => {
    expect(errorOf(await send(`/v1/vouchers/${encoded}`))).toEqual([404, 'not_found']);
  });

  test('/v1/vouchers/ leads to /v1/vouchers, which creates a voucher without a code', async () => {
    const body = JSON.stringify({ type: 'GIFT_VOUCHER', gift: { amount: 100 } });
    const sent = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body };
    const reply = await send('/v1/vouchers', sent);
    expect(JSON.parse(reply.text)).toMatchObject({ gift: { balance: 100 }, code: expect.stringMatching(/^\w{8}$/) });
    const { status, headers } = await send('/v1/vouchers/', sent);
    expect([status, headers.location]).toEqual([308, '/v1/vouchers']);
    expect(errorOf(await send('/v1/vouchers/', { method: 'PUT' }))).toEqual([404, 'not_found']);
  });

  test.each(['/v1/vouchers/100%', '/v1/vouchers/%E9', '/%zz', '/v1/vouchers/%C3%28'])(
    '%s is no percent-encoded UTF-8: 400',
    async (path) => {
      expect(errorOf(await send(path))).toEqual([400, 'invalid_path_params']);
    },
  );

  test.each(['/v1', '//', '//v1/vouchers/PLAIN', '/v1/vouchers/PLAIN/', '/v1/../healthz'])(
    '%s is unknown: 404',
    async (path) => {
      expect(errorOf(await send(path))).toEqual([404, 'not_found']);
    },
  );

  test.each(['HEAD', 'OPTIONS', 'DELETE', 'PATCH', 'PUT'])('that is known does not take %s: 405', async (method) => {
    const reply = await send('/v1/vouchers/PLAIN/transactions', { method });
    expect([reply.status, reply.headers.allow]).toEqual([405, 'GET']);
    expect(reply.text === '').toBe(method === 'HEAD');
  });

  test('may come in absolute form', async () => {
    expect((await send('http://127.0.0.1/v1/vouchers/PLAIN')).status).toBe(200);
    expect((await send('http://127.0.0.1')).headers.location).toBe('/console');
  });

  test('may be the asterisk', async () => {
    expect(errorOf(await send('*', { method: 'OPTIONS' }))).toEqual([404, 'not_found']);
  });
});

describe('a Host header', () => {
  test.each(['evil.example', 'localhost.evil.example', '127.0.0.1.evil.example:3000', '10.0.0.1'])(
    '"%s" is not this machine: 421 for any request',
    async (host) => {
      for (const path of ['/v1/vouchers/PLAIN', '/docs', '/healthz']) {
        expect(errorOf(await send(path, { headers: { Host: host } }))).toEqual([421, 'misdirected_request']);
      }
    },
  );

  test.each(['localhost', 'LOCALHOST:8080', '127.0.0.1', '127.0.0.1:1', '[::1]', '[::1]:3000'])(
    '%s is this machine',
    async (host) => {
      expect((await send('/v1/vouchers/PLAIN', { headers: { Host: host } })).status).toBe(200);
    },
  );
});

test('an Idempotency-Key and the limit of calls are headers of HTTP', async () => {
  const sent = { method: 'POST', headers: { 'Idempotency-Key': 'over HTTP' } };
  const [first, repeat] = [
    await send('/v1/vouchers/PLAIN/enable', sent),
    await send('/v1/vouchers/PLAIN/enable', sent),
  ];
  expect([first.status, first.headers['idempotent-replayed']]).toEqual([200, undefined]);
  expect([repeat.text, repeat.headers['idempotent-replayed']]).toEqual([first.text, 'true']);
  expect(Number(first.headers['x-rate-limit-remaining'])).toBeLessThan(Number(first.headers['x-rate-limit-limit']));
  const empty = await send('/v1/vouchers/PLAIN/enable', { method: 'POST', headers: { 'Idempotency-Key': '' } });
  expect(errorOf(empty)).toEqual([400, 'invalid_idempotency_key']);
});

describe('a request that is too long before its body', () => {
  test.each([
    ['query', `/v1/vouchers?${'a'.repeat(3_000_000)}`, {}],
    ['header', '/v1/vouchers/PLAIN', { 'X-Long': 'a'.repeat(20_000) }],
  ])('by its %s is refused with the error body, and the connection ended: 431', async (_, path, headers) => {
    const before = dependencies.lines.length;
    const reply = await send(path, { headers });
    expect(errorOf(reply)).toEqual([431, 'request_header_fields_too_large']);
    expect(reply.headers.connection).toBe('close');
    const [line = ''] = dependencies.lines.slice(before);
    expect(JSON.parse(line)).toMatchObject({ status: 431, request_id: reply.headers['x-request-id'] });
    expect((await send('/healthz')).status).toBe(200);
  });
});

describe('a body', () => {
  const enable = (body: string | Buffer, type: string) =>
    send('/v1/vouchers/PLAIN/enable', { method: 'POST', body, headers: { 'Content-Type': type } });

  test('may be empty JSON', async () => {
    expect((await enable('', 'application/json')).status).toBe(200);
    expect((await enable('{}', 'application/json')).status).toBe(200);
  });

  test('in the form of an HTML form is refused: 415', async () => {
    expect(errorOf(await enable('a=b', 'application/x-www-form-urlencoded'))).toEqual([415, 'unsupported_media_type']);
  });

  test('that is malformed JSON is refused: 400', async () => {
    expect(errorOf(await enable('{', 'application/json'))).toEqual([400, 'invalid_payload']);
  });

  test('above the limit of the function is refused: 413', async () => {
    const body = Buffer.alloc(gatewayBodyLimitInBytes, ' ');
    expect(errorOf(await enable(body, 'application/json'))).toEqual([413, 'payload_too_large']);
  });

  test.each([
    ['announced', {}],
    ['sent in chunks', { 'Transfer-Encoding': 'chunked' }],
  ])('above the limit of the gateway, %s, is refused, and the connection closed: 413', async (_, headers) => {
    const reply = await send('/v1/vouchers/PLAIN/enable', {
      method: 'POST',
      body: Buffer.alloc(gatewayBodyLimitInBytes + 1, ' '),
      headers: { 'Content-Type': 'application/json', ...headers },
    });
    expect(errorOf(reply)).toEqual([413, 'payload_too_large']);
    expect(reply.headers.connection).toBe('close');
  });

  test.each([
    ['/v1/vouchers/bulk/async', 'application/json', 'send its rows in several requests'],
    ['/v1/vouchers/importCSV', 'multipart/form-data; boundary=x', 'ask for an address for the file'],
    ['/v1/vouchers/PLAIN/enable', 'application/json', undefined],
  ])('above either limit is refused in the same words, which say how to send it: %s', async (path, type, remedy) => {
    const post = async (bytes: number) => {
      const headers = { 'Content-Type': type };
      const { status, text } = await send(path, { method: 'POST', body: Buffer.alloc(bytes, ' '), headers });
      return [status, JSON.parse(text).details];
    };
    const details = await post(gatewayBodyLimitInBytes);
    expect(details).toEqual([
      413,
      expect.stringContaining(`at most ${4 * 1024 * 1024} bytes${remedy ? `: ${remedy}` : ''}`),
    ]);
    expect(await post(gatewayBodyLimitInBytes + 1)).toEqual(details);
  });

  test('may stop early without harm', async () => {
    const socket = socketTo(server.baseUrl);
    socket.write('POST /v1/vouchers/PLAIN/enable HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{');
    await once(socket, 'connect');
    socket.destroy();
    expect((await send('/healthz')).status).toBe(200);
  });
});
