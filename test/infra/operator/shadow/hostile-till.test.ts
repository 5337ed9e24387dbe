import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { ask, isAskable } from '../../../../infra/operator/shadow/ask.ts';
import { startProxy, stopProxy } from '../../../../infra/operator/shadow/proxy.ts';
import { Tally } from '../../../../infra/operator/shadow/tally.ts';
import { exchange, requestText, statusesIn } from '../../../support/raw-http.ts';
import { serveReplies } from '../../../support/served-replies.ts';

const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

const serviceAt = (url: string) => ({ url, appId: 'other', appToken: 'secret', timeoutInMs: 2_000 });

async function proxyTo(to: string, other = to, timeoutInMs = 2_000) {
  const tally = new Tally();
  const proxy = startProxy({ to, other: serviceAt(other), tally, timeoutInMs });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  open.push(() => stopProxy(proxy));
  return { address: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`, proxy, tally };
}

async function serve(answer: Parameters<typeof serveReplies>[0] = () => ({ json: { valid: true } })) {
  const served = await serveReplies(answer);
  open.push(served.close);
  return served;
}

/** Serves bytes by hand. */
async function serveByHand(answer: (socket: Socket) => void) {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => {}));
    socket.once('data', () => answer(socket));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  open.push(async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
    await once(server, 'close');
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const closing = { Connection: 'close', 'X-App-Id': 'till', 'X-App-Token': 'own' };

describe('a till', () => {
  test('reaches no other host, and gets 400 for a target that does not begin with one slash', async () => {
    const [counting, elsewhere] = [await serve(), await serve()];
    const { address } = await proxyTo(counting.url);
    const host = new URL(elsewhere.url).host;
    const targets = [
      '//',
      `//${host}/x`,
      `/\\${host}/x`,
      `\\\\${host}/x`,
      `${elsewhere.url}/x`,
      `HTTP://${host}`,
      '*',
      'x',
    ];
    targets.push(`//${host}/v1/validations`, `/\\${host}/v1/validations`, `${elsewhere.url}/v1/validations`);
    for (const target of targets) {
      const method = target === '*' ? 'OPTIONS' : 'POST';
      const answer = await exchange(
        address,
        requestText(`${method} ${target}`, { ...closing, 'Content-Length': '2' }, '{}'),
      );
      expect([target, statusesIn(answer)]).toEqual([target, [400]]);
    }
    expect([counting.asked, elsewhere.asked]).toEqual([[], []]);
    expect((await fetch(`${address}/v1/vouchers/A`)).status).toBe(200);
  });

  test.each([
    ['a list of trailers without chunks', 'POST /v1/orders', { Trailer: 'X-Sum', 'Content-Length': '2' }, '{}'],
    ['an expectation', 'POST /v1/orders', { Expect: '100-continue', 'Content-Length': '2' }, '{}'],
    ['chunks with GET', 'GET /v1/orders', { 'Transfer-Encoding': 'chunked' }, '5\r\nhello\r\n0\r\n\r\n'],
    ['a wish for another protocol', 'GET /v1/orders', { Connection: 'Upgrade, close', Upgrade: 'websocket' }, ''],
    ['parts of a path that lead upwards', 'GET /v1/../../x/%2e%2e/%', {}, ''],
    ['the header of a proxy', 'GET /v1/orders', { 'Proxy-Connection': 'keep-alive', TE: 'trailers' }, ''],
  ])('may send %s', async (_, line, headers, body) => {
    const counting = await serve();
    const { address } = await proxyTo(counting.url);
    const text = requestText(line, { ...closing, ...headers }, body);
    const answer = await exchange(address, (socket) => void socket.write(Buffer.from(text, 'latin1')));
    expect(statusesIn(answer).at(-1)).toBe(200);
    expect(counting.asked).toHaveLength(1);
    expect((await fetch(`${address}/v1/vouchers/A`)).status).toBe(200);
  });

  test('sends one request as one, although its method has no body', async () => {
    const counting = await serve();
    const { address } = await proxyTo(counting.url);
    const hidden = requestText('POST /v1/redemptions', { 'Content-Length': '2' }, '{}');
    const chunk = `${Buffer.byteLength(hidden).toString(16)}\r\n${hidden}\r\n0\r\n\r\n`;
    await exchange(address, requestText('GET /v1/orders', { ...closing, 'Transfer-Encoding': 'chunked' }, chunk));
    expect(counting.asked.map(({ path }) => path)).toEqual(['/v1/orders']);
  });
});

describe('a service that counts', () => {
  const lines = (...all: string[]) => `${all.join('\r\n')}\r\n\r\n`;

  test.each<[string, (socket: Socket) => void, number]>([
    [
      'switches to another protocol',
      (socket) => socket.write(lines('HTTP/1.1 101 X', 'Connection: Upgrade', 'Upgrade: h2c')),
      502,
    ],
    ['closes without an answer', (socket) => socket.end(), 502],
    ['has an impossible status', (socket) => socket.end(lines('HTTP/1.1 042 X', 'Content-Length: 0')), 502],
    ['speaks another language', (socket) => socket.end('SSH-2.0\r\n'), 502],
    ['never answers', () => {}, 504],
  ])('that %s gives the till an error, and the proxy goes on', async (_, answer, status) => {
    const { address } = await proxyTo(await serveByHand(answer), 'http://127.0.0.1:9', 300);
    for (const __ of [1, 2]) expect((await fetch(`${address}/v1/validations`, { method: 'POST' })).status).toBe(status);
  });

  test('that stops within its answer ends the connection of the till', async () => {
    const stopping = await serveByHand((socket) =>
      socket.write(`${lines('HTTP/1.1 200 OK', 'Content-Length: 9')}half`),
    );
    const { address } = await proxyTo(stopping, 'http://127.0.0.1:9', 300);
    const reply = await fetch(`${address}/v1/vouchers/A`);
    await expect(reply.text()).rejects.toThrow();
  });
});

describe('the other service', () => {
  test('is asked no path that its address would lead to another one', () => {
    for (const path of [
      '/v1/vouchers/../validate',
      '/v1/vouchers/..\\..\\v1\\redemptions#/validate',
      '/v1/vouchers/%2e%2e/validate',
    ]) {
      expect([path, isAskable('POST', path)]).toEqual([path, false]);
    }
    for (const path of ['/v1/validations', '/v1/validations?expand=order', '/v1/vouchers/A%2FB/validate']) {
      expect([path, isAskable('POST', path)]).toEqual([path, true]);
    }
  });

  test('that leads elsewhere is not followed, so that its token reaches no third service', async () => {
    const third = await serve();
    const leading = await serve(() => ({
      status: 307,
      headers: { location: `${third.url}/v1/validations` },
      json: {},
    }));
    await expect(ask(serviceAt(leading.url), '/v1/validations', '{}')).rejects.toThrow();
    expect(third.asked).toEqual([]);
  });

  test('whose answer has no end is left out', async () => {
    const endless = await serveByHand((socket) => {
      socket.write(okHead);
      const more = () => {
        while (!socket.destroyed && socket.write('x'.repeat(100_000)));
        if (!socket.destroyed) socket.once('drain', more);
      };
      more();
    });
    await expect(ask(serviceAt(endless), '/v1/validations', '{}')).rejects.toThrow(/more than .* bytes/);
  });
});

const okHead = 'HTTP/1.1 200 OK\r\n\r\n';
