import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Bundle } from '../../infra/aws/bundle.ts';
import { startServer } from '../../infra/local/server.ts';
import { importOf, lastLineOf, sharedBundle } from '../support/bundles.ts';
import { testDependencies } from '../support/dependencies.ts';
import { theDocument } from '../support/openapi.ts';

const dependencies = testDependencies();

const server = await startServer({ dependencies, port: 0 });

afterAll(() => server.close());

const get = (path: string, init: RequestInit = {}) => fetch(server.baseUrl + path, init);

/** Returns the files that the page loads. */
async function assetsOf(path: string): Promise<string[]> {
  const page = await (await get(path)).text();
  return [...page.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, asset = '']) => asset);
}

describe('/openapi.json', () => {
  test('is the document, for anyone', async () => {
    const reply = await get('/openapi.json');
    expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8']);
    expect(await reply.json()).toEqual(theDocument());
  });

  // Lambda sends at most 6 MB, and the gateway gets a file as base64. Half of that leaves room for later operations.
  test('is always compressed, and less than half of the largest reply of a function', async () => {
    for (const encoding of ['gzip', 'identity']) {
      const reply = await get('/openapi.json', { headers: { 'Accept-Encoding': encoding } });
      expect([encoding, reply.headers.get('content-encoding')]).toEqual([encoding, 'gzip']);
      const sent = Number(reply.headers.get('content-length'));
      expect(sent).toBeGreaterThan(100_000);
      expect((sent * 4) / 3).toBeLessThan(6_291_456 / 2);
      expect(await reply.json()).toEqual(theDocument());
    }
  });
});

describe('/docs', () => {
  test('loads everything from the server that serves it', async () => {
    const assets = await assetsOf('/docs');
    expect(assets).not.toHaveLength(0);
    for (const asset of assets) {
      expect(asset).toMatch(/^\/docs\/[\w.-]+$/);
      const reply = await get(asset);
      expect([asset, reply.status, (await reply.arrayBuffer()).byteLength > 100]).toEqual([asset, 200, true]);
    }
  });

  test('costs at most 100 KB in each request, compressed for every browser', async () => {
    for (const path of ['/docs', ...(await assetsOf('/docs'))]) {
      const reply = await get(path, { headers: { 'Accept-Encoding': 'identity' } });
      expect([path, reply.headers.get('content-encoding')]).toEqual([path, 'gzip']);
      expect([path, Number(reply.headers.get('content-length')) <= 100_000]).toEqual([path, true]);
    }
  });

  test('names no foreign address, and forbids the browser to load and call any', async () => {
    const reply = await get('/docs');
    const texts = [await reply.text(), await (await get('/docs/start.js')).text()];
    for (const text of texts) expect(text).not.toMatch(/(?:https?:)?\/\/[\w-]+\.\w+/);
    const policy = reply.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy.match(/https?:|\*/g)).toBeNull();
    expect(policy).toContain("connect-src 'self'");
    expect(policy).toMatch(/script-src 'self' 'sha256-[\w+/]{43}=';/);
  });

  test.each(['/openapi.json', '/docs', '/docs/start.js'])('%s takes GET only: 405', async (path) => {
    for (const method of ['POST', 'PUT', 'DELETE']) {
      const reply = await get(path, { method });
      expect([reply.status, reply.headers.get('allow')]).toEqual([405, 'GET']);
      expect(await reply.json()).toMatchObject({ key: 'method_not_allowed', code: 405 });
    }
  });

  test('/docs/ redirects to /docs', async () => {
    const reply = await get('/docs/');
    expect([reply.status, reply.url]).toEqual([200, `${server.baseUrl}/docs`]);
  });

  test.each(['/docs/nothing.js', '/docs/..%2Fpackage.json', '/docs/a/b'])('%s: 404', async (path) => {
    const reply = await get(path);
    expect(await reply.json()).toMatchObject({
      code: reply.status,
      key: 'not_found',
      request_id: reply.headers.get('x-request-id'),
    });
  });

  test('is logged by its pattern', async () => {
    const reply = await get('/docs/start.js');
    const logged = dependencies.lines.map((line) => JSON.parse(line));
    expect(logged).toContainEqual(
      expect.objectContaining({
        request_id: reply.headers.get('x-request-id'),
        route: 'ANY /docs/{file}',
        status: 200,
      }),
    );
  });
});

describe('the function of the stack', () => {
  let bundle: Bundle;

  beforeAll(async () => {
    bundle = await sharedBundle('docs');
  });

  /** Runs one call after the other in a Node.js process that has only the bundle. */
  async function calls(requests: readonly (readonly [path: string, method?: string])[]) {
    const events = requests.map(([path, method = 'GET']) => ({
      rawPath: path,
      routeKey: `ANY ${path}`,
      headers: {},
      requestContext: { requestId: 'request-1', timeEpoch: 0, http: { method } },
    }));
    const script = `
      const { handler } = ${importOf(bundle)};
      const replies = [];
      for (const event of ${JSON.stringify(events)}) replies.push(await handler(event));
      console.log(JSON.stringify(replies));`;
    return (await lastLineOf(script)) as { statusCode: number; body: string }[];
  }

  test('serves the document, the page and its assets from its own folder', async () => {
    const paths = ['/docs', ...(await assetsOf('/docs'))];
    const [document, away, posted, ...served] = await calls([
      ['/openapi.json'],
      ['/docs/..%2findex.mjs'],
      ['/docs', 'POST'],
      ...paths.map((path) => [path] as const),
    ]);
    // The document is only sent compressed.
    const sent = gunzipSync(Buffer.from(document?.body ?? '', 'base64'));
    expect(JSON.parse(sent.toString())).toEqual(theDocument());
    for (const [index, path] of paths.entries()) {
      const { statusCode, body } = served[index] ?? { statusCode: 0, body: '' };
      expect([path, statusCode]).toEqual([path, 200]);
      expect(gunzipSync(Buffer.from(body, 'base64'))).toEqual(Buffer.from(await (await get(path)).arrayBuffer()));
    }
    expect([away?.statusCode, posted?.statusCode]).toEqual([404, 405]);
  });

  test('has no code of the endpoints, and its files fit into a reply of Lambda', async () => {
    expect(bundle.gzipBytes).toBeLessThanOrEqual(10_000);
    const folder = join(bundle.dir, 'files');
    const sizes = await Promise.all((await readdir(folder)).map(async (name) => (await stat(join(folder, name))).size));
    // Swagger UI is a file next to the code, not in it, so that a start does not parse it. The document grows with the
    // operations.
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(800_000);
  });
});
