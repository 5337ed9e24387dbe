import { once } from 'node:events';
import { Agent } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RunningServer, startServer } from '../../../infra/local/server.ts';
import { clientWith } from '../../support/client.ts';
import { testDependencies } from '../../support/dependencies.ts';
import { loadProject, type TestProject } from '../../support/project.ts';
import { exchange, requestText, send, socketTo, statusesIn } from '../../support/raw-http.ts';

const dependencies = testDependencies();
let project: TestProject;
let server: RunningServer;

beforeAll(async () => {
  project = await loadProject({ vouchers: [{ code: 'PLAIN', type: 'DISCOUNT_VOUCHER', active: false }] });
  server = await startServer({ dependencies, port: 0 });
});

afterAll(() => server.close());

const getVoucher = (headers: Record<string, string> = {}) =>
  send(server.baseUrl, '/v1/vouchers/PLAIN', { headers: { ...project.credentials, ...headers } });

/** Keeps a close from cutting anything off before the test itself ends. */
const closesPatiently = { closeInMs: 3_600_000 };

describe('the server', () => {
  test('says that it is running', async () => {
    const { status, text } = await send(server.baseUrl, '/healthz');
    expect([status, text]).toEqual([200, '{"status":"ok"}']);
  });

  test("uses the caller's name for it in the addresses of a reply", async () => {
    const { text } = await getVoucher({ Host: 'localhost:81' });
    expect(JSON.parse(text).assets.qr.url).toMatch(/^http:\/\/localhost:81\/v1\/assets\/qr\//);
  });

  test('sends a picture as its bytes', async () => {
    const { text } = await getVoucher();
    const { pathname } = new URL(JSON.parse(text).assets.qr.url);
    const picture = await send(server.baseUrl, pathname);
    expect(picture.headers['content-type']).toBe('image/svg+xml');
    expect(picture.text).toMatch(/^<svg/);
    expect(picture.headers['content-length']).toBe(String(Buffer.byteLength(picture.text)));
  });

  test('logs every request under the id that its reply carries, its own refusals too', async () => {
    const replies = [await getVoucher(), await send(server.baseUrl, '/%zz')];
    const logged = dependencies.lines.map((line) => JSON.parse(line).request_id);
    expect(logged).toEqual(expect.arrayContaining(replies.map(({ headers }) => headers['x-request-id'])));
  });

  test('answers malformed HTTP with 400', async () => {
    const answer = await exchange(server.baseUrl, 'NONSENSE\r\n\r\n');
    expect(statusesIn(answer)).toEqual([400]);
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

  test('closes idle connections when it ends, without waiting for them', async () => {
    const other = await startServer({ dependencies, port: 0, patience: closesPatiently });
    const agent = new Agent({ keepAlive: true });
    await send(other.baseUrl, '/healthz', { agent });
    const idle = socketTo(other.baseUrl);
    await once(idle, 'connect');
    const ended = once(idle, 'close');
    idle.resume();
    await other.close();
    await ended;
    agent.destroy();
    await expect(fetch(other.baseUrl)).rejects.toThrow();
  });

  test('finishes all requests that were sent at once', async () => {
    const asked = Promise.withResolvers<void>();
    const gate = Promise.withResolvers<void>();
    const dynamodb = clientWith(dependencies.dynamodb, async (_, real) => {
      asked.resolve();
      await gate.promise;
      return real();
    });
    const other = await startServer({
      dependencies: testDependencies({ dynamodb }),
      port: 0,
      patience: closesPatiently,
    });
    let closed: Promise<void> | undefined;
    const answer = await exchange(other.baseUrl, async (socket) => {
      socket.write(requestText('GET /healthz', {}) + requestText('GET /v1/vouchers/PLAIN', project.credentials));
      await Promise.all([once(socket, 'data'), asked.promise]);
      closed = other.close();
      gate.resolve();
    });
    await closed;
    expect(statusesIn(answer)).toEqual([200, 200]);
  });

  test('reports that its port is in use', async () => {
    const port = Number(new URL(server.baseUrl).port);
    await expect(startServer({ dependencies, port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
  });
});
