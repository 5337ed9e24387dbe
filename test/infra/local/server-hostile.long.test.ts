import { once } from 'node:events';
import type { Socket } from 'node:net';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { gatewayBodyLimitInBytes } from '../../../infra/local/messages.ts';
import { type RunningServer, startServer } from '../../../infra/local/server.ts';
import { testDependencies } from '../../support/dependencies.ts';
import { loadProject, type TestProject } from '../../support/project.ts';
import { exchange, requestText, send, statusesIn } from '../../support/raw-http.ts';
import { isLong } from '../../support/sampled.ts';

const dependencies = testDependencies();
let project: TestProject;
let server: RunningServer;

beforeAll(async () => {
  project = await loadProject({ vouchers: [{ code: 'PLAIN', type: 'DISCOUNT_VOUCHER', active: false }] });
  server = await startServer({ dependencies, port: 0 });
});

afterAll(() => server.close());

const json = { 'Content-Type': 'application/json' };
const get = (path: string, headers: Record<string, string> = {}) =>
  requestText(`GET ${path}`, { ...project.credentials, ...headers });
const post = (headers: Record<string, string>, body?: string) =>
  requestText('POST /v1/vouchers/PLAIN/enable', { ...project.credentials, ...json, ...headers }, body);

describe.concurrent('a caller who is slow', () => {
  const withImpatience = async (use: (impatient: RunningServer) => Promise<void>) => {
    const impatient = await startServer({
      dependencies,
      port: 0,
      patience: { headersInMs: 1_000, requestInMs: 2_000 },
    });
    try {
      await use(impatient);
    } finally {
      await impatient.close();
    }
  };
  /** Sends one byte at a time, while others are served. */
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
      const answer = await exchange(impatient.baseUrl, text);
      expect(statusesIn(answer)).toEqual(text === '' ? expect.any(Array) : [408]);
    });
  });

  test('in sending headers is cut off, and delays nobody', async () => {
    await withImpatience(async (impatient) => {
      const answer = await exchange(impatient.baseUrl, async (socket) => {
        socket.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-Slow: ');
        await drip('x', impatient)(socket);
      });
      expect(statusesIn(answer)).toEqual([408]);
    });
  });

  test('in sending a body is cut off, and delays nobody', async () => {
    await withImpatience(async (impatient) => {
      const answer = await exchange(impatient.baseUrl, async (socket) => {
        socket.write(post({ 'Content-Length': '1000000' }));
        await drip(' ', impatient)(socket);
      });
      expect(statusesIn(answer)).toEqual([408]);
    });
  });
});

describe('a request that is no HTTP, or strange HTTP,', () => {
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
    expect(statusesIn(await exchange(server.baseUrl, text))).toEqual([status]);
    expect((await send(server.baseUrl, '/healthz')).status).toBe(200);
  });

  test('such as a chunk without a size, ends its connection alone', async () => {
    await exchange(server.baseUrl, `${post(chunked)}zz\r\n{}\r\n`);
    expect((await send(server.baseUrl, '/healthz')).status).toBe(200);
  });

  test('of any bytes, is never our failure', async () => {
    const bytes = fc.uint8Array({ maxLength: 60 }).map((some) => Buffer.from(some).toString('latin1'));
    const words = ['%', '%00', '%zz', '..', '//', '?', '#', '\u00ff', 'Bearer ', '\t', ';', '__proto__', ','];
    const any = fc.array(fc.oneof(bytes, fc.constantFrom(...words)), { maxLength: 4 }).map((parts) => parts.join(''));
    await fc.assert(
      fc.asyncProperty(any, any, any, any, async (path, name, value, token) => {
        const target = `/v1/vouchers/${path}`;
        const lines = { 'X-App-Id': value, Authorization: token, [name || 'X']: value, Connection: 'close' };
        const answer = await exchange(server.baseUrl, (socket) => {
          socket.write(Buffer.from(get(target, lines), 'latin1'));
          socket.end();
        });
        for (const status of statusesIn(answer))
          expect(status, JSON.stringify([path, name, value, token])).toBeLessThan(500);
      }),
      { numRuns: isLong ? 500 : 40, seed: 20_261_121 },
    );
    expect((await send(server.baseUrl, '/healthz')).status).toBe(200);
  });

  test('such as requests sent all at once, is answered in their order', async () => {
    const paths = ['/healthz', '/v1/vouchers/PLAIN', '/v1/vouchers/NOPE', '/%zz'];
    const answer = await exchange(server.baseUrl, (socket) => {
      socket.write(paths.map((path) => get(path)).join('') + get('/healthz', { Connection: 'close' }));
    });
    expect(statusesIn(answer)).toEqual([200, 200, 404, 400, 200]);
  });

  test('such as a body in chunks of a byte, is read', async () => {
    const text = '{"a":1}';
    const chunks = [...text].map((character) => `1\r\n${character}\r\n`).join('');
    const answer = await exchange(server.baseUrl, post({ ...chunked, Connection: 'close' }, `${chunks}0\r\n\r\n`));
    expect(statusesIn(answer)).toEqual([200]);
  });

  test('such as a body behind Expect: 100-continue, is asked for unless it is too large', async () => {
    const expecting = { Expect: '100-continue', Connection: 'close' };
    const answer = await exchange(server.baseUrl, async (socket) => {
      socket.write(post({ ...expecting, 'Content-Length': '2' }));
      await once(socket, 'data');
      socket.write('{}');
    });
    expect(statusesIn(answer)).toEqual([100, 200]);
    const length = String(gatewayBodyLimitInBytes + 1);
    const refused = await exchange(server.baseUrl, post({ ...expecting, 'Content-Length': length }));
    expect(statusesIn(refused)).toEqual([413]);
  });

  test('such as a caller who disconnects before the reply, harms nobody', async () => {
    const before = dependencies.lines.length;
    await Promise.all(
      Array.from({ length: 20 }, () =>
        exchange(server.baseUrl, (socket) => {
          socket.write(post({ 'Content-Length': '2' }, '{}'), () => socket.resetAndDestroy());
        }),
      ),
    );
    expect((await send(server.baseUrl, '/v1/vouchers/PLAIN', { headers: project.credentials })).status).toBe(200);
    const failed = dependencies.lines.slice(before).filter((line) => JSON.parse(line).level === 'error');
    expect(failed).toEqual([]);
  });
});
