import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CreateQueueCommand, ListQueuesCommand } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createBucketFiles, createS3Client } from '#kernel/core/files/bucket.ts';
import { type QueueService, startQueueService } from '../../../infra/local/queue-service.ts';
import { isSigned } from '../../../infra/local/signed-requests.ts';
import { takeUploads } from '../../../infra/local/upload-puts.ts';
import { exchange, requestText, send, statusesIn } from '../../support/raw-http.ts';

let service: QueueService;
beforeAll(async () => {
  service = await startQueueService();
});
afterAll(() => service.stop());

const upload = (place: string, projectId = 'proj_1') => ({ area: 'uploads', projectId, place }) as const;
const put = (url: string | URL, body = 'Code\nA\n') => fetch(url, { method: 'PUT', body });

const replacing = (from: string, to: string) => (url: URL) => {
  url.pathname = url.pathname.replace(from, to);
};

describe('the port of files', () => {
  test('takes a file at its address, of the size that was asked for, and gives files at theirs', async () => {
    const url = await service.files.address(upload('a.csv'), 7);
    expect((await put(url)).status).toBe(200);
    expect(await service.files.read(upload('a.csv'))).toBe('Code\nA\n');
    expect(await (await fetch(await service.files.link(upload('a.csv')))).text()).toBe('Code\nA\n');
  });

  test('takes files of 20 MB at their address', async () => {
    const body = 'x'.repeat(20_000_000);
    expect((await put(await service.files.address(upload('large.csv'), body.length), body)).status).toBe(200);
    expect((await service.files.state(upload('large.csv')))?.bytes).toBe(body.length);
  });

  test('takes no file without a signature, for any project, and loses none', async () => {
    await put(await service.files.address(upload('kept.csv'), 4), 'kept');
    const plain = `${service.endpoint}/files/uploads/proj_1/kept.csv`;
    for (const [method, headers] of [
      ['PUT', {}],
      ['PUT', { authorization: 'AWS4-HMAC-SHA256 x' }],
      ['PUT', { authorization: 'anything' }],
      ['GET', {}],
      ['DELETE', {}],
    ] as const) {
      const reply = await fetch(plain, { method, headers, ...(method === 'PUT' ? { body: 'other' } : {}) });
      expect([method, headers, reply.status]).toEqual([method, headers, 403]);
    }
    for (const path of ['/files', '/files?list-type=2', '/', '/_fauxqs/queues', '/_fauxqs/queues/events']) {
      expect([path, (await fetch(`${service.endpoint}${path}`)).status]).toEqual([path, 403]);
    }
    expect(await service.files.read(upload('kept.csv'))).toBe('kept');
  });

  test.each<[string, (url: URL) => void]>([
    ['of another project', replacing('proj_1', 'proj_2')],
    ['of another file', replacing('b.csv', 'c.csv')],
    ['with another time', (url) => url.searchParams.set('X-Amz-Expires', '604800')],
    ['with another signature', (url) => url.searchParams.set('X-Amz-Signature', 'ab'.repeat(32))],
    ['without a signature', (url) => url.searchParams.delete('X-Amz-Signature')],
    ['with less signed', (url) => url.searchParams.set('X-Amz-SignedHeaders', 'host')],
  ])('refuses an address %s', async (_, change) => {
    const url = new URL(await service.files.address(upload('b.csv'), 7));
    change(url);
    expect((await put(url)).status).toBe(403);
    for (const file of [upload('b.csv'), upload('c.csv'), upload('b.csv', 'proj_2')]) {
      expect(await service.files.state(file)).toBeUndefined();
    }
  });

  test('refuses a file of another size, an address of another kind of request, and headers that are not signed', async () => {
    const url = await service.files.address(upload('d.csv'), 7);
    expect((await put(url, 'longer than seven')).status).toBe(403);
    expect((await fetch(url)).status).toBe(403);
    const copy = await fetch(url, {
      method: 'PUT',
      body: 'Code\nA\n',
      headers: { 'x-amz-copy-source': '/files/exports/x' },
    });
    expect(copy.status).toBe(403);
    expect(await service.files.state(upload('d.csv'))).toBeUndefined();
  });

  test('refuses an address and a request that others have signed', async () => {
    const client = createS3Client(service.endpoint, { accessKeyId: 'local', secretAccessKey: 'local' });
    const files = createBucketFiles(client, 'files');
    expect((await put(await files.address(upload('e.csv'), 7))).status).toBe(403);
    await expect(files.remove(upload('a.csv'))).rejects.toThrow();
    expect(await service.files.state(upload('e.csv'))).toBeUndefined();
    client.destroy();
  });

  test('refuses an address when its hour is over', async () => {
    const signer = { accessKeyId: 'local', secretAccessKey: 'known' };
    const client = createS3Client(service.endpoint, signer);
    const { host, pathname, search, searchParams } = new URL(
      await createBucketFiles(client, 'files').address(upload('g.csv'), 7),
    );
    const request = { method: 'PUT', url: pathname + search, headers: { host, 'content-length': '7' } };
    const date = searchParams.get('X-Amz-Date') ?? '';
    const [, year, month, day, hour, minute, second] = /(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z/.exec(date) ?? [];
    const signedAt = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
    const hourInMs = 3_600_000;
    const isGoodAfter = (ms: number) => isSigned(request, signer, new Date(signedAt + ms));
    expect([0, hourInMs, hourInMs + 1_000, -hourInMs].map(isGoodAfter)).toEqual([true, true, false, false]);
    client.destroy();
  });

  test('answers a path with a percent sign that encodes nothing, and goes on', async () => {
    for (const path of ['/files/uploads/%/x', '/files/uploads/proj_1/%E0%A4%A', '/%', '/files/%zz?%', '/?%=%']) {
      for (const method of ['PUT', 'GET', 'POST']) {
        const { status } = await send(service.endpoint, path, { method });
        expect([400, 403]).toContain(status);
      }
    }
    expect((await put(await service.files.address(upload('f.csv'), 7))).status).toBe(200);
  });

  test('answers hosts of this machine alone, for queues too', async () => {
    const headers = { Host: 'evil.example', Connection: 'close', 'Content-Type': 'application/x-amz-json-1.0' };
    const target = { ...headers, 'X-Amz-Target': 'AmazonSQS.ListQueues', 'Content-Length': '2' };
    expect(statusesIn(await exchange(service.endpoint, requestText('POST /', target, '{}')))).toEqual([403]);
  });

  test('lets people look into queues with any credentials', async () => {
    await service.client.send(new CreateQueueCommand({ QueueName: 'orders' }));
    const { QueueUrls = [] } = await service.client.send(new ListQueuesCommand({}));
    expect(QueueUrls.some((url) => url.endsWith('/orders'))).toBe(true);
  });

  test('ends an upload that stops halfway, and keeps nothing', async () => {
    const bytes = 7;
    const server = createServer(() => {}).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const signer = { accessKeyId: 'local', secretAccessKey: 'known' };
    const client = createS3Client(endpoint, signer);
    const kept: unknown[] = [];
    const keep = async (file: unknown) => void kept.push(file);
    const { files } = service;
    takeUploads(server, { client, bucket: 'files', files, keep, signer, clock: () => new Date(), timeoutInMs: 100 });
    const { host, pathname, search } = new URL(
      await createBucketFiles(client, 'files').address(upload('h.csv'), bytes),
    );
    const head = `PUT ${pathname}${search} HTTP/1.1\r\nHost: ${host}\r\nContent-Length: ${bytes}\r\n\r\n`;
    expect(statusesIn(await exchange(endpoint, `${head}Cod`))).not.toContain(200);
    expect([kept, await files.state(upload('h.csv'))]).toEqual([[], undefined]);
    client.destroy();
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
});
