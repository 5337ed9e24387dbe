import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, describe, expect, test } from 'vitest';
import { probe } from '../../infra/aws/probe.ts';
import { startServer } from '../../infra/local/server.ts';
import { testDependencies } from '../support/dependencies.ts';

const servers: Server[] = [];
afterAll(() => {
  for (const server of servers) server.closeAllConnections();
});

async function answering(status: number, body: string | undefined) {
  const server = createServer((_, reply) => {
    if (body !== undefined) reply.writeHead(status).end(body);
  });
  servers.push(server);
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  server.unref();
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe('the probe', () => {
  test('succeeds if the service looks its key up and refuses it', async () => {
    const server = await startServer({ dependencies: testDependencies(), port: 0 });
    await expect(probe(server.baseUrl)).resolves.toBeUndefined();
    await server.close();
  });

  test.each([
    [500, '{"key":"internal_error"}'],
    [503, 'Service Unavailable'],
    [401, '{"message":"Unauthorized"}'],
    [200, '{"key":"unauthorized"}'],
    [401, 'null'],
  ])('fails on %i %s, and reports it', async (status, body) => {
    await expect(probe(await answering(status, body))).rejects.toThrow(`${status}: ${body}`);
  });

  test('fails if no reply arrives in time', async () => {
    await expect(probe(await answering(0, undefined), 50)).rejects.toThrow(/timeout/);
  });
});
