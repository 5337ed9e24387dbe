import { createServer as createPlain } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { post, type TargetOptions } from '#addons/webhooks/target.ts';
import { selfSigned } from '../../../support/certificate.ts';

const dayInMs = 24 * 3_600_000;
const host = '127.0.0.1';

/** Starts a receiver with a certificate, which ends after some days. */
async function openSecure({ of = host, days = 30 }: { of?: string; days?: number } = {}) {
  const now = Date.now();
  const certificate = selfSigned({
    host: of,
    from: new Date(now - 60 * dayInMs),
    until: new Date(now + days * dayInMs),
  });
  const heard: string[] = [];
  const server = createServer(certificate, (request, response) => {
    heard.push(String(request.headers['webhook-id']));
    request.resume();
    response.end('thanks');
  });
  await new Promise<void>((listening) => server.listen(0, host, listening));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const send = (options: TargetOptions) =>
    post({ url: `https://${host}:${port}/`, body: '{}', headers: { 'webhook-id': 'whs_1' } }, options);
  return { heard, send, ca: certificate.cert };
}

describe('a receiver', () => {
  test('with a certificate that is trusted gets the request', async () => {
    const { send, heard, ca } = await openSecure();
    expect(await send({ allowsLocal: true, ca })).toMatchObject({ status: 200, text: 'thanks' });
    expect(heard).toEqual(['whs_1']);
  });

  test('with a certificate that only itself has signed gets nothing, and the log says why', async () => {
    const { send, heard } = await openSecure();
    expect(await send({ allowsLocal: true })).toEqual({
      status: null,
      text: "the target's certificate is refused: self-signed certificate",
    });
    expect(heard).toEqual([]);
  });

  test('with a certificate that has ended gets nothing', async () => {
    const { send, heard, ca } = await openSecure({ days: -1 });
    expect(await send({ allowsLocal: true, ca })).toEqual({
      status: null,
      text: "the target's certificate is refused: certificate has expired",
    });
    expect(heard).toEqual([]);
  });

  test('with the certificate of another name gets nothing', async () => {
    const { send, heard, ca } = await openSecure({ of: 'other.example' });
    const { status, text } = await send({ allowsLocal: true, ca });
    expect(status).toBeNull();
    expect(text).toContain("the target's certificate is refused: Hostname/IP does not match");
    expect(heard).toEqual([]);
  });

  test('without TLS behind an https address gets nothing', async () => {
    const server = createPlain((_, response) => void response.end());
    await new Promise<void>((listening) => server.listen(0, host, listening));
    onTestFinished(() => void server.close());
    const url = `https://${host}:${(server.address() as AddressInfo).port}/`;
    const { status, text } = await post({ url, body: '{}', headers: {} }, { allowsLocal: true });
    expect(status).toBeNull();
    expect(text).toContain('the target answers without TLS');
  });
});
