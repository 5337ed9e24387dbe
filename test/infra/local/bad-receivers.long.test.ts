import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { GetQueueUrlCommand, SendMessageBatchCommand } from '@aws-sdk/client-sqs';
import { afterAll, expect, test } from 'vitest';
import { deliveries } from '#addons/webhooks/delivery.ts';
import { asciiJson } from '#kernel/core/ascii-json.ts';
import { createSqsClient } from '#kernel/kit/jobs/sqs.ts';
import { killLaunched, lineOf, serve } from '../../support/npm-start.ts';
import { credentialsOf, projectFile, withFile } from '../../support/project.ts';
import { send } from '../../support/raw-http.ts';
import { isLong } from '../../support/sampled.ts';

afterAll(killLaunched);

const upgrade = 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n';

/** Writes again each time that the bytes before are sent. */
function writeForEver(socket: Socket, bytes: string): void {
  const more = () => {
    while (!socket.destroyed && socket.write(bytes));
    if (!socket.destroyed) socket.once('drain', more);
  };
  more();
}

/** The ways of a receiver to fail, by the path of its address. */
const bad: Readonly<Record<string, (socket: Socket) => void>> = {
  upgrade: (socket) => socket.write(upgrade),
  silent: () => {},
  endless: (socket) => writeForEver(socket, 'HTTP/1.1 100 Continue\r\n\r\n'),
  reset: (socket) => socket.resetAndDestroy(),
  closed: (socket) => socket.end(),
  other: (socket) => socket.end('SSH-2.0-OpenSSH_9.9\r\n'),
  half: (socket) => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\nhalf'),
  failing: (socket) => socket.end('HTTP/1.1 500 X\r\nContent-Length: 0\r\n\r\n'),
};

/** Each customer brings a message of its event, and one for each of the nine webhooks. */
const customers = isLong ? 1_000 : 200;
/** Further messages come from outside, because they cost less. */
const messages = 10_000;
const strange = messages - customers * (1 + 1 + Object.keys(bad).length);

/** All characters of Unicode that a text may have, but U+0000, in their order. */
const characters = Array.from({ length: 0x11_0000 }, (_, code) => code)
  .filter((code) => code > 0 && !(code >= 0xd800 && code <= 0xdfff) && code !== 0xfffe && code !== 0xffff)
  .map((code) => String.fromCodePoint(code));

const nameLength = 250;
/** A name of consecutive characters. The names of all customers are spread over the whole of Unicode. */
function nameOf(index: number): string {
  const from = Math.floor((index * (characters.length - nameLength)) / (customers - 1));
  return characters.slice(from, from + nameLength).join('');
}

/** Opens one port for all receivers. Bad ones answer as soon as a connection says its path. */
async function openReceivers(hear: (event: { type: string; data: unknown }) => void) {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.once('close', () => sockets.delete(socket));
    let pieces = Buffer.alloc(0);
    let isBad = false;
    socket.on('data', (piece: Buffer) => {
      if (isBad) return;
      pieces = Buffer.concat([pieces, piece]);
      const [, path = '', length = ''] =
        /^POST \/(\w+) [\s\S]*?\r\ncontent-length: (\d+)\r\n/i.exec(pieces.toString('latin1')) ?? [];
      const answer = bad[path];
      isBad = answer !== undefined;
      answer?.(socket);
      const body = pieces.subarray(pieces.indexOf('\r\n\r\n') + 4);
      if (path !== 'good' || body.length < Number(length)) return;
      socket.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok');
      hear(JSON.parse(body.toString()));
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const close = async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
    await once(server, 'close');
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close };
}

/** Sends `count` requests, a few at a time. */
async function inTurns(count: number, send: (index: number) => Promise<void>): Promise<void> {
  let next = 0;
  const atOnce = Array.from({ length: 16 }, async () => {
    for (let index = next++; index < count; index = next++) await send(index);
  });
  await Promise.all(atOnce);
}

/** Sends messages that mean nothing: texts, broken JSON, and keys of missing items in all characters. */
async function sendStrange(endpoint: string, projectId: string): Promise<void> {
  const client = createSqsClient(endpoint);
  const bodyOf = (index: number) => {
    const text = nameOf(index % customers);
    const key = deliveries(projectId, `wh_${index % 7}`, text);
    const bodies = [
      text,
      '{',
      '[]',
      'null',
      '{"pk":1}',
      { pk: text, sk: text },
      { ...key, tries: 0 },
      { ...key, tries: text },
    ];
    const body = bodies[index % bodies.length] ?? '';
    return typeof body === 'string' && body !== text ? body : asciiJson(body);
  };
  const queues = ['webhooks', 'events', 'segments', 'bulk'];
  for (let first = 0; first < strange; first += 10) {
    const numbers = Array.from({ length: Math.min(10, strange - first) }, (_, index) => first + index);
    const Entries = numbers.map((index) => ({ Id: String(index), MessageBody: bodyOf(index) }));
    const { QueueUrl } = await client.send(new GetQueueUrlCommand({ QueueName: queues[(first / 10) % queues.length] }));
    const { Failed = [] } = await client.send(new SendMessageBatchCommand({ QueueUrl, Entries }));
    expect(Failed).toEqual([]);
  }
  client.destroy();
}

test('10,000 messages with every kind of text and bad receivers stop neither webhooks, nor jobs, nor the end of a server', async () => {
  const file = projectFile();
  const heard = new Set<string>();
  const all = Promise.withResolvers<void>();
  const generated = Promise.withResolvers<void>();
  const receivers = await openReceivers(({ type, data }) => {
    if (type === 'campaign.vouchers.generation.completed') generated.resolve();
    if (type !== 'customer.created') return;
    heard.add(String(Object(Object(data).customer).name));
    if (heard.size === customers) all.resolve();
  });
  const { child, exit, address, greeting } = await withFile(file, (PROJECT_FILE) =>
    serve({ PROJECT_FILE, TABLE_NAME: 'hostile' }),
  );
  const headers = { 'content-type': 'application/json', ...credentialsOf(file) };
  const post = async (path: string, body: object) => {
    const { status, text } = await send(address, path, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
      agent: false,
    });
    expect([path, status < 300 ? '' : text]).toEqual([path, '']);
  };
  const events = ['customer.created', 'campaign.vouchers.generation.completed'];
  for (const path of ['good', ...Object.keys(bad)]) {
    const target_url = `${receivers.url}/${path}`;
    await post(`/management/v1/projects/${file.project.id}/webhooks`, { target_url, events });
  }

  await sendStrange(lineOf(greeting, 'queues').replace('SQS at ', ''), file.project.id);
  await inTurns(customers, async (index) => {
    const name = nameOf(index);
    const source_id = `${index} ${[...name].slice(0, 20).join('')}`;
    await post('/v1/customers', { source_id, name, metadata: { [name]: [name] } });
  });
  await all.promise;
  const missing = Array.from({ length: customers }, (_, index) => nameOf(index)).filter((name) => !heard.has(name));
  expect(missing).toEqual([]);

  await post('/v1/campaigns', {
    name: 'After the storm ☕️',
    campaign_type: 'DISCOUNT_COUPONS',
    voucher: { type: 'DISCOUNT_VOUCHER', discount: { type: 'AMOUNT', amount_off: 100 } },
    vouchers_count: 30,
  });
  await generated.promise;
  // Many deliveries still wait for their receivers.
  expect((await fetch(`${address}/healthz`)).status).toBe(200);
  const toldAt = performance.now();
  child.kill('SIGTERM');
  const { code, stdout, stderr } = await exit;
  const tookMs = performance.now() - toldAt;
  await receivers.close();
  expect([code, stderr]).toEqual([0, '']);
  expect(tookMs).toBeLessThan(10_000);
  // No queue refused a message of the service itself.
  expect(stdout).not.toContain('"part":"dead-letters"');
});
