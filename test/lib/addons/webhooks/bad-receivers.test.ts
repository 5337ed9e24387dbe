import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { post } from '#addons/webhooks/target.ts';

/** Opens a receiver that answers the first bytes of each connection by hand. */
async function openByHand(answer: (socket: Socket) => void) {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
    socket.once('data', () => answer(socket));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
    await once(server, 'close');
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`, sockets };
}

const lines = (...all: string[]) => `${all.join('\r\n')}\r\n\r\n`;
const upgrade = lines('HTTP/1.1 101 Switching Protocols', 'Connection: Upgrade', 'Upgrade: websocket');

/** Writes again each time that the bytes before are sent. */
function writeForEver(socket: Socket, bytes: string): void {
  const more = () => {
    while (!socket.destroyed && socket.write(bytes));
    if (!socket.destroyed) socket.once('drain', more);
  };
  more();
}

const deadlineInMs = 150;

async function deliverTo(answer: (socket: Socket) => void) {
  const { url, sockets } = await openByHand(answer);
  const begunAt = performance.now();
  const given = await post({ url, body: '{"a":1}', headers: {} }, { allowsLocal: true, timeoutInMs: deadlineInMs });
  const tookMs = performance.now() - begunAt;
  await Promise.all(
    [...sockets].map((socket) => new Promise<void>((resolve) => socket.once('close', () => resolve()))),
  );
  return { given, tookMs };
}

describe('a request ends, and closes its connection, though the receiver', () => {
  test('answers 101 with another protocol, which is no success', async () => {
    const { given } = await deliverTo((socket) => socket.write(upgrade));
    expect(given).toEqual({ status: 101, text: expect.stringContaining('websocket') });
  });

  test.each<[string, (socket: Socket) => void]>([
    ['answers 101 and closes', (socket) => socket.end(upgrade)],
    ['answers 101 and sends bytes for ever', (socket) => writeForEver(socket, upgrade + 'x'.repeat(1_000))],
    ['answers 101 without another protocol', (socket) => socket.write(lines('HTTP/1.1 101 Switching Protocols'))],
    ['answers 100 for ever', (socket) => writeForEver(socket, lines('HTTP/1.1 100 Continue'))],
    ['answers 103 for ever', (socket) => writeForEver(socket, lines('HTTP/1.1 103 Early Hints', 'Link: </a>'))],
    ['sends headers for ever', (socket) => writeForEver(socket, 'X-More: 1\r\n')],
    ['closes without an answer', (socket) => socket.end()],
    ['resets the connection', (socket) => socket.resetAndDestroy()],
    ['closes in the status line', (socket) => socket.end('HTTP/1.1 2')],
    ['closes in the headers', (socket) => socket.end('HTTP/1.1 200 OK\r\nContent-')],
    ['closes in the body', (socket) => socket.end(`${lines('HTTP/1.1 200 OK', 'Content-Length: 9')}half`)],
    ['stops in the body', (socket) => socket.write(`${lines('HTTP/1.1 200 OK', 'Content-Length: 9')}half`)],
    ['speaks another language', (socket) => socket.end('SSH-2.0-OpenSSH_9.9\r\n')],
    ['says nothing', () => {}],
  ])('%s', async (_, answer) => {
    const { given, tookMs } = await deliverTo(answer);
    expect([null, 101]).toContain(given.status);
    if (given.status === null) expect(given.text).not.toBe('');
    // The receiver shares the process, and keeps it busy.
    expect(tookMs).toBeLessThan(100 * deadlineInMs);
  });

  test('ends its answer with the connection', async () => {
    const { given } = await deliverTo((socket) => socket.end(`${lines('HTTP/1.0 200 OK')}thanks`));
    expect(given).toMatchObject({ status: 200, text: 'thanks' });
  });

  test.each([lines('HTTP/1.1 100 Continue'), lines('HTTP/1.1 103 Early Hints', 'Link: </a>')])(
    'sends interim answers without end, long before the deadline',
    async (interim) => {
      const { url } = await openByHand((socket) => writeForEver(socket, interim));
      const given = await post({ url, body: '{}', headers: {} }, { allowsLocal: true, timeoutInMs: 60_000 });
      expect(given).toEqual({ status: null, text: 'the target sends interim answers without end' });
    },
  );

  test('sends some interim answers before its answer', async () => {
    const interim = lines('HTTP/1.1 103 Early Hints', 'Link: </a>').repeat(3);
    const { given } = await deliverTo((socket) => socket.end(`${interim}${lines('HTTP/1.1 204 No Content')}`));
    expect(given.status).toBe(204);
  });

  test('takes the connection and reads nothing', async () => {
    const { url } = await openByHand(() => {});
    const body = 'x'.repeat(20_000_000);
    const given = await post({ url, body, headers: {} }, { allowsLocal: true, timeoutInMs: deadlineInMs });
    expect(given).toEqual({ status: null, text: 'no answer in time' });
  });
});
