import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { startProxy, stopProxy } from '../../../../infra/operator/shadow/proxy.ts';
import { replay } from '../../../../infra/operator/shadow/replay.ts';
import { Tally } from '../../../../infra/operator/shadow/tally.ts';
import { serveReplies } from '../../../support/served-replies.ts';

const timeoutInMs = 20_000;

const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

describe('the proxy before a till', () => {
  async function proxyBetween(to: string, other: string, timeout = timeoutInMs) {
    const tally = new Tally();
    const lines: string[] = [];
    const proxy = startProxy({
      to,
      other: { url: other, appId: 'other', appToken: 'secret', timeoutInMs: timeout },
      tally,
      onAnswer: (text) => lines.push(text),
    });
    proxy.listen(0, '127.0.0.1');
    await once(proxy, 'listening');
    let isStopped = false;
    const stop = async () => {
      if (!isStopped) await stopProxy(proxy);
      isStopped = true;
    };
    open.push(stop);
    return { address: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`, tally, lines, stop };
  }

  const validate = (address: string, body: object = { order: { amount: 1 } }) =>
    fetch(`${address}/v1/validations?expand=order`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-app-id': 'till', 'x-app-token': 'own' },
      body: JSON.stringify(body),
    });

  test('answers as the service that counts, and asks the other one with its own credentials', async () => {
    const counting = await serveReplies(() => ({ json: { valid: true }, headers: { 'x-from': 'counting' } }));
    const other = await serveReplies(() => ({ json: { valid: false } }));
    open.push(counting.close, other.close);
    const { address, tally, lines, stop } = await proxyBetween(counting.url, other.url);
    const response = await validate(address);
    expect([response.status, response.headers.get('x-from'), await response.json()]).toEqual([
      200,
      'counting',
      { valid: true },
    ]);
    await stop();
    expect(counting.asked[0]?.headers).toMatchObject({ 'x-app-id': 'till', 'x-app-token': 'own' });
    expect(other.asked[0]?.headers).toMatchObject({ 'x-app-id': 'other', 'x-app-token': 'secret' });
    expect(tally.summary).toContain('valid true → false');
    expect(lines.map((text) => JSON.parse(text))).toEqual([
      {
        method: 'POST',
        path: '/v1/validations?expand=order',
        body: { order: { amount: 1 } },
        status: 200,
        reply: { valid: true },
      },
    ]);
  });

  test('forwards redemptions and locks, and asks the other one nothing', async () => {
    const counting = await serveReplies(({ method, path }) => ({ status: 201, json: { method, path } }));
    const other = await serveReplies(() => ({ json: {} }));
    open.push(counting.close, other.close);
    const { address, stop } = await proxyBetween(counting.url, other.url);
    const redeemed = await fetch(`${address}/v1/redemptions`, { method: 'POST', body: '{}' });
    expect([redeemed.status, await redeemed.json()]).toEqual([201, { method: 'POST', path: '/v1/redemptions' }]);
    expect((await validate(address, { session: { type: 'LOCK' } })).status).toBe(201);
    await stop();
    expect(other.asked.length).toBe(0);
  });

  test.each([
    ['is down', async () => 'http://127.0.0.1:9'],
    [
      'never answers',
      async () => {
        const silent = await serveReplies(() => new Promise(() => {}));
        open.push(silent.close);
        return silent.url;
      },
    ],
    [
      'breaks off',
      async () => {
        const broken = await serveReplies(() => ({ text: '{', cutOff: true }));
        open.push(broken.close);
        return broken.url;
      },
    ],
  ])('gives the till its answer if the other one %s', async (_, otherUrl) => {
    const counting = await serveReplies(() => ({ json: { valid: true } }));
    open.push(counting.close);
    const { address, tally, stop } = await proxyBetween(counting.url, await otherUrl(), 200);
    const answers = await Promise.all(Array.from({ length: 60 }, async () => (await validate(address)).json()));
    expect(answers).toEqual(Array.from({ length: 60 }, () => ({ valid: true })));
    await stop();
    expect(tally.compared).toBe(0);
    expect([...tally.left.values()].reduce((sum, some) => sum + some, 0)).toBe(60);
  });

  test('answers 502 if the service that counts is down', async () => {
    const { address } = await proxyBetween('http://127.0.0.1:9', 'http://127.0.0.1:9');
    expect((await validate(address)).status).toBe(502);
  });

  test('records lines that a replay takes', async () => {
    const counting = await serveReplies(() => ({ json: { valid: true } }));
    open.push(counting.close);
    const { address, lines, stop } = await proxyBetween(counting.url, counting.url);
    await validate(address);
    await stop();
    const folder = await mkdtemp(join(tmpdir(), 'tessera-shadow-'));
    open.push(() => rm(folder, { recursive: true }));
    const path = join(folder, 'lines.jsonl');
    await writeFile(path, `${lines.join('\n')}\n`);
    const tally = new Tally();
    const other = { url: counting.url, appId: 'other', appToken: 'secret', timeoutInMs };
    await replay(path, { counts: undefined, other }, tally);
    expect(tally.summary).toBe('1 requests were compared, 0 of them with differences\n');
  });
});
