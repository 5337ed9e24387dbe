import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { Browser, Page } from 'playwright-core';
import { afterAll, describe, expect, test } from 'vitest';
import { startServer } from '../../infra/local/server.ts';
import { noBrowser, openBrowser } from '../support/browser.ts';
import { testDependencies } from '../support/dependencies.ts';
import { leaked, pageShop } from '../support/page-shop.ts';

/** Serves a shop's window: an empty page at its own origin, and its scripts call the API. */
async function startWindow(): Promise<{ origin: string; server: Server }> {
  const server = createServer((_, reply) => {
    reply.setHeader('Content-Type', 'text/html; charset=utf-8').end('<!doctype html><title>A shop</title>');
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('a server that listens has a port');
  return { origin: `http://127.0.0.1:${address.port}`, server };
}

interface Sent {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: object;
}

/** Holds what a script of the page reads of a reply, or that the browser blocked the reply. */
type Seen = { status: number; requestId: string | null; body: Record<string, unknown> } | 'blocked by the browser';

const dependencies = testDependencies();
const lines = dependencies.lines;
const [own, foreign] = [await startWindow(), await startWindow()];
const api = await startServer({ dependencies, port: 0 });
const browser = await openBrowser();

afterAll(async () => {
  await browser?.close();
  for (const { server } of [own, foreign]) {
    server.closeAllConnections();
    server.close();
  }
  await api.close();
});

async function pageAt(from: Browser, origin: string): Promise<Page> {
  const page = await from.newPage();
  page.setDefaultTimeout(240_000);
  await page.goto(origin);
  return page;
}

/** The script is a text, because it runs in the page. */
const script = `async ({ url, headers, body }) => {
  const init = body === undefined
    ? { headers }
    : { method: 'POST', headers: { ...headers, 'Content-Type': 'application/json' }, body: JSON.stringify(body) };
  try {
    const reply = await fetch(url, init);
    return { status: reply.status, requestId: reply.headers.get('x-request-id'), body: await reply.json() };
  } catch (error) {
    return 'blocked by the browser';
  }
}`;

function callFrom(page: Page, { path, headers, body }: Sent): Promise<Seen> {
  const sent = JSON.stringify({ url: api.baseUrl + path, headers, body });
  return page.evaluate(`(${script})(${sent})`);
}

const preflights = () =>
  lines
    .map((line) => JSON.parse(line))
    .filter(({ route, status }) => route === 'OPTIONS /client/v1/{path+}' && status === 204).length;

/** Holds the shop's key without its origin, because only the browser sends the origin. */
async function shopOf(origins: readonly string[]) {
  const shop = await pageShop({ redemption: true }, origins);
  const { origin: _, ...headers } = shop.headersFrom('');
  // Client libraries of this interface send these headers.
  return { ...shop, key: { ...headers, 'X-Voucherify-Channel': 'Browser-ClientSide-SDK-v2.9.0' } };
}

describe('a page in a browser, at another origin than the API,', () => {
  const ten = [{ object: 'voucher', id: 'TEN' }];
  const order = { amount: 1000 };

  test('validates and redeems with the key of its origin, after a preflight', async ({ skip }) => {
    if (!browser) return skip(noBrowser);
    const { key: headers, usesOf } = await shopOf([own.origin]);
    const page = await pageAt(browser, own.origin);
    const before = preflights();

    const asked = await callFrom(page, { path: '/client/v1/validate?code=TEN&amount=1000', headers });
    expect(asked).toMatchObject({ status: 200, body: { valid: true, order: { total_amount: 900 } } });
    const validated = await callFrom(page, {
      path: '/client/v1/validations',
      headers,
      body: { redeemables: ten, order },
    });
    expect(validated).toMatchObject({ status: 200, body: { valid: true, order: { total_amount: 900 } } });
    const redeemed = await callFrom(page, {
      path: '/client/v1/redemptions',
      headers,
      body: { redeemables: ten, order },
    });
    expect(redeemed).toMatchObject({ status: 200, body: { redemptions: [{ result: 'SUCCESS' }] } });
    const again = await callFrom(page, { path: '/client/v1/redeem?code=TEN', headers, body: { order } });
    expect(again).toMatchObject({ status: 200, body: { result: 'SUCCESS', voucher: { code: 'TEN' } } });

    for (const seen of [asked, validated, redeemed, again]) {
      expect(seen).toHaveProperty('requestId', expect.stringMatching(/./));
      expect(JSON.stringify(seen)).not.toMatch(leaked);
    }
    expect(await usesOf('TEN')).toBe(2);
    // The browser sent a preflight for each of the four paths.
    expect(preflights() - before).toBe(4);
  });

  test('reads the reason of a refusal', async ({ skip }) => {
    if (!browser) return skip(noBrowser);
    const { key: headers } = await shopOf([own.origin]);
    const page = await pageAt(browser, own.origin);
    expect(await callFrom(page, { path: '/client/v1/validations', headers, body: {} })).toMatchObject({
      status: 400,
      body: { key: 'invalid_payload' },
    });
  });

  test('gets nothing and changes nothing with the key of another origin', async ({ skip }) => {
    if (!browser) return skip(noBrowser);
    const { key: headers, usesOf } = await shopOf([own.origin]);
    const page = await pageAt(browser, foreign.origin);
    for (const sent of [
      { path: '/client/v1/validate?code=TEN&amount=1000', headers },
      { path: '/client/v1/validations', headers, body: { redeemables: ten, order } },
      { path: '/client/v1/redemptions', headers, body: { redeemables: ten, order } },
    ])
      expect(await callFrom(page, sent)).toBe('blocked by the browser');
    expect(await usesOf('TEN')).toBe(0);
  });

  test("gets nothing from a server path, even with a server's key", async ({ skip }) => {
    if (!browser) return skip(noBrowser);
    const { server, usesOf } = await shopOf([own.origin]);
    const page = await pageAt(browser, own.origin);
    const sent = { path: '/v1/redemptions', headers: server, body: { redeemables: ten, order } };
    expect(await callFrom(page, sent)).toBe('blocked by the browser');
    expect(await usesOf('TEN')).toBe(0);
  });
});
