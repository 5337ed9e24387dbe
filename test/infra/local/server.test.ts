import { once } from 'node:events';
import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { gatewayBodyLimitInBytes } from '../../../infra/local/messages.ts';
import { type RunningServer, startServer } from '../../../infra/local/server.ts';
import { CredentialCache } from '../../../lib/http/credential-cache.ts';
import { testDependencies } from '../../support/dependencies.ts';
import { loadProject, type TestProject } from '../../support/project.ts';

const codes = ['PLAIN', 'A/B #1é', '50%20off', 'a+b'];

let dependencies: ReturnType<typeof testDependencies>;
let project: TestProject;
let server: RunningServer;

beforeAll(async () => {
  dependencies = testDependencies();
  project = await loadProject({ vouchers: codes.map((code) => ({ code, type: 'DISCOUNT_VOUCHER', active: false })) });
  server = await startServer({ dependencies, port: 0 });
});

afterAll(() => server.close());

interface Sent {
  method?: string;
  headers?: Record<string, string | string[]>;
  body?: string | Buffer;
}

interface Received {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

/** Sends the path as it stands; `fetch` would tidy it up. */
async function send(path: string, { method = 'GET', headers = {}, body }: Sent = {}, agent?: Agent): Promise<Received> {
  const { hostname, port } = new URL(server.baseUrl);
  const sent = request({ hostname, port, path, method, headers: { ...project.credentials, ...headers }, agent });
  sent.end(body);
  const [response] = await once(sent, 'response');
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk);
  return { status: response.statusCode, headers: response.headers, text: Buffer.concat(chunks).toString() };
}

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

  test('/v1/vouchers/ is taken like /v1/vouchers by those who create a voucher without a code', async () => {
    const body = JSON.stringify({ type: 'GIFT_VOUCHER', gift: { amount: 100 } });
    const headers = { 'Content-Type': 'application/json' };
    for (const path of ['/v1/vouchers', '/v1/vouchers/']) {
      const reply = await send(path, { method: 'POST', headers, body });
      expect(JSON.parse(reply.text)).toMatchObject({ gift: { balance: 100 }, code: expect.stringMatching(/^\w{8}$/) });
    }
    expect(errorOf(await send('/v1/vouchers/', { method: 'PUT' }))).toEqual([405, 'method_not_allowed']);
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
    expect((await send('http://127.0.0.1')).headers.location).toBe('/docs');
  });

  test('may be the asterisk', async () => {
    expect(errorOf(await send('*', { method: 'OPTIONS' }))).toEqual([404, 'not_found']);
  });
});

describe('a Host header', () => {
  test.each(['evil.example', 'localhost.evil.example', '127.0.0.1.evil.example:3000', '10.0.0.1'])(
    '"%s" is not this machine: 421, whatever is asked for',
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

describe('a body', () => {
  const enable = (body: string | Buffer, type: string) =>
    send('/v1/vouchers/PLAIN/enable', { method: 'POST', body, headers: { 'Content-Type': type } });

  test('may be empty JSON', async () => {
    expect((await enable('', 'application/json')).status).toBe(200);
    expect((await enable('{}', 'application/json')).status).toBe(200);
  });

  test('that is a form is refused: 415', async () => {
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

  test('may break off without harm', async () => {
    const { hostname, port } = new URL(server.baseUrl);
    const socket = connect(Number(port), hostname);
    socket.write('POST /v1/vouchers/PLAIN/enable HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{');
    await once(socket, 'connect');
    socket.destroy();
    expect((await send('/healthz')).status).toBe(200);
  });
});

/** What comes back for raw bytes until the server ends the connection. */
async function exchange(
  send: (socket: Socket) => void | Promise<void>,
  { baseUrl }: RunningServer = server,
): Promise<string> {
  const { hostname, port } = new URL(baseUrl);
  const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true });
  const chunks: Buffer[] = [];
  socket.on('data', (chunk) => chunks.push(chunk));
  // A server that has cut somebody off resets what he goes on sending.
  socket.on('error', () => {});
  const over = new Promise<void>((resolve) => {
    socket.once('end', resolve);
    socket.once('close', () => resolve());
  });
  await once(socket, 'connect');
  await send(socket);
  await over;
  socket.destroy();
  return Buffer.concat(chunks).toString('latin1');
}

const statusesIn = (answer: string) => [...answer.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));

const headerLines = (lines: Record<string, string> = {}) =>
  Object.entries({ Host: 'localhost', ...project.credentials, ...lines })
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('');

const get = (path: string, lines?: Record<string, string>) => `GET ${path} HTTP/1.1\r\n${headerLines(lines)}\r\n`;
const post = (lines: Record<string, string>, body = '') =>
  `POST /v1/vouchers/PLAIN/enable HTTP/1.1\r\n${headerLines({ 'Content-Type': 'application/json', ...lines })}\r\n${body}`;

describe.concurrent('a caller who is slow', () => {
  const withImpatience = async (use: (impatient: RunningServer) => Promise<void>) => {
    const patience = { headersInMs: 1_000, requestInMs: 2_000 };
    const impatient = await startServer({ dependencies, port: 0, patience });
    try {
      await use(impatient);
    } finally {
      await impatient.close();
    }
  };
  /** A byte at a time, and others are served in between. */
  const drip =
    (byte: string, { baseUrl }: RunningServer) =>
    async (socket: Socket) => {
      while (!socket.readableEnded && !socket.destroyed) {
        socket.write(byte);
        expect((await fetch(`${baseUrl}/healthz`)).status).toBe(200);
      }
    };

  test.each([
    ['who says nothing', ''],
    ['who stops within a header', 'GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-App'],
    [
      'who stops within a body',
      'POST /v1/vouchers/X/enable HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{"a":',
    ],
    [
      'who stops within a chunk',
      'POST /v1/vouchers/X/enable HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nff\r\n{',
    ],
  ])('or %s is cut off', async (_, text) => {
    await withImpatience(async (impatient) => {
      const answer = await exchange((socket) => void socket.write(text), impatient);
      expect(statusesIn(answer)).toEqual(text === '' ? expect.any(Array) : [408]);
    });
  });

  test('in sending his headers is cut off, and holds up nobody', async () => {
    await withImpatience(async (impatient) => {
      const answer = await exchange(async (socket) => {
        socket.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-Slow: ');
        await drip('x', impatient)(socket);
      }, impatient);
      expect(statusesIn(answer)).toEqual([408]);
    });
  });

  test('in sending his body is cut off, and holds up nobody', async () => {
    await withImpatience(async (impatient) => {
      const answer = await exchange(async (socket) => {
        socket.write(post({ 'Content-Length': '1000000' }));
        await drip(' ', impatient)(socket);
      }, impatient);
      expect(statusesIn(answer)).toEqual([408]);
    });
  });
});

describe('what is no HTTP, or HTTP that nobody means,', () => {
  const chunked = { 'Transfer-Encoding': 'chunked' };

  test.each<[string, string, number]>([
    ['no request line', 'NONSENSE\r\n\r\n', 400],
    ['an unknown version', 'GET /healthz HTTP/9.9\r\nHost: localhost\r\n\r\n', 400],
    ['an unknown method', 'STEAL /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n', 400],
    ['no host', 'GET /healthz HTTP/1.1\r\n\r\n', 400],
    ['a header without a colon', 'GET /healthz HTTP/1.1\r\nHost: localhost\r\nnonsense\r\n\r\n', 400],
    ['NUL in a header', 'GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-App-Id: a\0b\r\n\r\n', 400],
    ['a blank in a header name', 'GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-App-Id : a\r\n\r\n', 400],
    ['headers of 100 KB', `GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-App-Id: ${'a'.repeat(100_000)}\r\n\r\n`, 431],
    ['a target of 100 KB', `GET /${'a'.repeat(100_000)} HTTP/1.1\r\nHost: localhost\r\n\r\n`, 431],
    ['a negative length', 'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n', 400],
    ['a length that is no number', 'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1e3\r\n\r\n', 400],
    ['two lengths', 'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n{}', 400],
    [
      'a length and chunks',
      'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      400,
    ],
    ['an encoding that is none', 'POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: magic\r\n\r\n{}', 400],
  ])('such as %s, is refused, and the connection ended', async (_, text, status) => {
    expect(statusesIn(await exchange((socket) => void socket.write(text)))).toEqual([status]);
    expect((await send('/healthz')).status).toBe(200);
  });

  test('such as a chunk without a size, ends its connection alone', async () => {
    await exchange((socket) => void socket.write(`${post(chunked)}zz\r\n{}\r\n`));
    expect((await send('/healthz')).status).toBe(200);
  });

  test('whatever bytes it is of, is never our failure', async () => {
    const bytes = fc.uint8Array({ maxLength: 60 }).map((some) => Buffer.from(some).toString('latin1'));
    const words = fc.constantFrom(
      '%',
      '%00',
      '%zz',
      '..',
      '//',
      '?',
      '#',
      '\u00ff',
      'Bearer ',
      '\t',
      ';',
      '__proto__',
      ',',
    );
    const any = fc.array(fc.oneof(bytes, words), { maxLength: 4 }).map((parts) => parts.join(''));
    await fc.assert(
      fc.asyncProperty(any, any, any, any, async (path, name, value, token) => {
        const target = `/v1/vouchers/${path}`;
        const lines = { 'X-App-Id': value, Authorization: token, [name || 'X']: value, Connection: 'close' };
        const answer = await exchange((socket) => {
          socket.write(Buffer.from(get(target, lines), 'latin1'));
          socket.end();
        });
        for (const status of statusesIn(answer))
          expect(status, JSON.stringify([path, name, value, token])).toBeLessThan(500);
      }),
      { numRuns: process.env.LONG_TESTS ? 500 : 40, seed: 20_261_121 },
    );
    expect((await send('/healthz')).status).toBe(200);
  });

  test('such as requests sent all at once, is answered in their order', async () => {
    const paths = ['/healthz', '/v1/vouchers/PLAIN', '/v1/vouchers/NOPE', '/%zz'];
    const answer = await exchange((socket) => {
      socket.write(paths.map((path) => get(path)).join('') + get('/healthz', { Connection: 'close' }));
    });
    expect(statusesIn(answer)).toEqual([200, 200, 404, 400, 200]);
  });

  test('such as a body in chunks of a byte, is read', async () => {
    const text = '{"a":1}';
    const chunks = [...text].map((character) => `1\r\n${character}\r\n`).join('');
    const answer = await exchange(
      (socket) => void socket.write(post({ ...chunked, Connection: 'close' }, `${chunks}0\r\n\r\n`)),
    );
    expect(statusesIn(answer)).toEqual([200]);
  });

  test('such as a body that waits to be asked for, is asked for, unless it is too large', async () => {
    const expecting = { Expect: '100-continue', Connection: 'close' };
    const answer = await exchange(async (socket) => {
      socket.write(post({ ...expecting, 'Content-Length': '2' }));
      await once(socket, 'data');
      socket.write('{}');
    });
    expect(statusesIn(answer)).toEqual([100, 200]);
    const length = String(gatewayBodyLimitInBytes + 1);
    const refused = await exchange((socket) => void socket.write(post({ ...expecting, 'Content-Length': length })));
    expect(statusesIn(refused)).toEqual([413]);
  });

  test('such as a caller who goes away before his answer, harms nobody', async () => {
    const before = dependencies.lines.length;
    await Promise.all(
      Array.from({ length: 20 }, () =>
        exchange((socket) => {
          socket.write(post({ 'Content-Length': '2' }, '{}'), () => socket.resetAndDestroy());
        }),
      ),
    );
    expect((await send('/v1/vouchers/PLAIN')).status).toBe(200);
    const failed = dependencies.lines.slice(before).filter((line) => JSON.parse(line).level === 'error');
    expect(failed).toEqual([]);
  });
});

/** Nothing is cut off by a close before the test itself is. */
const closesPatiently = { closeInMs: 3_600_000 };

describe('the server', () => {
  test('tells that it is up', async () => {
    const { status, text } = await send('/healthz');
    expect([status, text]).toEqual([200, '{"status":"ok"}']);
  });

  test('names itself in the addresses of a reply as it was called', async () => {
    const { text } = await send('/v1/vouchers/PLAIN', { headers: { Host: 'localhost:81' } });
    expect(JSON.parse(text).assets.qr.url).toMatch(/^http:\/\/localhost:81\/v1\/assets\/qr\//);
  });

  test('sends a picture as its bytes', async () => {
    const { text } = await send('/v1/vouchers/PLAIN');
    const { pathname } = new URL(JSON.parse(text).assets.qr.url);
    const picture = await send(pathname);
    expect(picture.headers['content-type']).toBe('image/svg+xml');
    expect(picture.text).toMatch(/^<svg/);
    expect(picture.headers['content-length']).toBe(String(Buffer.byteLength(picture.text)));
  });

  test('logs every request under the id that its reply carries, its own refusals too', async () => {
    const replies = [await send('/v1/vouchers/PLAIN'), await send('/%zz')];
    const logged = dependencies.lines.map((line) => JSON.parse(line).request_id);
    expect(logged).toEqual(expect.arrayContaining(replies.map(({ headers }) => headers['x-request-id'])));
  });

  test('answers malformed HTTP with 400', async () => {
    const { hostname, port } = new URL(server.baseUrl);
    const socket = connect(Number(port), hostname);
    socket.write('NONSENSE\r\n\r\n');
    const [answer] = await once(socket, 'data');
    expect(String(answer)).toMatch(/^HTTP\/1\.1 400 /);
    socket.destroy();
  });

  test('answers 500 when a function throws past its wrapper, logs why, and lives on', async () => {
    const failing = testDependencies();
    let readings = 0;
    const clock = () => {
      readings += 1;
      if (readings === 2) throw new Error('the clock stands');
      return failing.clock();
    };
    const other = await startServer({ dependencies: { ...failing, clock }, port: 0 });
    try {
      const reply = await fetch(`${other.baseUrl}/v1/vouchers/X`);
      expect([reply.status, await reply.json()]).toMatchObject([500, { key: 'internal_error' }]);
      expect(JSON.parse(failing.lines.join())).toMatchObject({
        level: 'error',
        request_id: reply.headers.get('x-request-id'),
      });
      expect((await fetch(`${other.baseUrl}/v1/vouchers/X`)).status).toBe(401);
    } finally {
      await other.close();
    }
  });

  test('ends with its idle connections, and waits for none of them', async () => {
    const other = await startServer({ dependencies, port: 0, patience: closesPatiently });
    const { hostname, port } = new URL(other.baseUrl);
    const agent = new Agent({ keepAlive: true });
    const sent = request({ hostname, port, path: '/healthz', agent });
    sent.end();
    const [response] = await once(sent, 'response');
    response.resume();
    await once(response, 'end');
    const idle = connect(Number(port), hostname);
    await once(idle, 'connect');
    const ended = once(idle, 'close');
    idle.resume();
    await other.close();
    await ended;
    agent.destroy();
    await expect(fetch(other.baseUrl)).rejects.toThrow();
  });

  test('lets requests that were sent at once all end', async () => {
    const asked = Promise.withResolvers<void>();
    const gate = Promise.withResolvers<void>();
    const dynamodb = new Proxy(dependencies.dynamodb, {
      get: (target, property) => {
        const value = Reflect.get(target, property, target);
        if (property !== 'send') return value;
        return async (...sent: unknown[]) => {
          asked.resolve();
          await gate.promise;
          return Reflect.apply(value, target, sent);
        };
      },
    });
    const credentialCache = new CredentialCache();
    const other = await startServer({
      dependencies: { ...dependencies, dynamodb, credentialCache },
      port: 0,
      patience: closesPatiently,
    });
    let closed: Promise<void> | undefined;
    const answer = await exchange(async (socket) => {
      socket.write(get('/healthz') + get('/v1/vouchers/PLAIN'));
      await Promise.all([once(socket, 'data'), asked.promise]);
      closed = other.close();
      gate.resolve();
    }, other);
    await closed;
    expect(statusesIn(answer)).toEqual([200, 200]);
  });

  test('tells that its port is taken', async () => {
    const port = Number(new URL(server.baseUrl).port);
    await expect(startServer({ dependencies, port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
  });
});
