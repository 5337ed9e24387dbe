import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Bundle } from '../../infra/aws/bundle.ts';
import { type RunningServer, startServer } from '../../infra/local/server.ts';
import { openapiDocument } from '../../infra/openapi/document.ts';
import { operationNamed } from '../../infra/operations.ts';
import { noBrowser, openBrowser } from '../support/browser.ts';
import { importOf, linesOf, sharedBundle } from '../support/bundles.ts';
import { loadDemo } from '../support/demo.ts';
import { testDependencies } from '../support/dependencies.ts';
import type { TestProject } from '../support/project.ts';
import { isLong, sampled } from '../support/sampled.ts';

let project: TestProject;
let server: RunningServer;
let lines: readonly string[];

beforeAll(async () => {
  const dependencies = testDependencies();
  lines = dependencies.lines;
  project = await loadDemo(dependencies);
  server = await startServer({ dependencies, port: 0 });
});

afterAll(() => server.close());

const get = (path: string, init: RequestInit = {}) => fetch(server.baseUrl + path, init);

/** What the page names to be loaded. */
async function assetsOf(path: string): Promise<string[]> {
  const page = await (await get(path)).text();
  return [...page.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, asset = '']) => asset);
}

describe('/openapi.json', () => {
  test('is the document, for anyone', async () => {
    const reply = await get('/openapi.json');
    expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8']);
    expect(await reply.json()).toEqual(openapiDocument());
  });

  test('is the same for those who take gzip and those who do not', async () => {
    const [zipped, plain] = await Promise.all(
      ['gzip', 'identity'].map((encoding) => get('/openapi.json', { headers: { 'Accept-Encoding': encoding } })),
    );
    expect([zipped?.headers.get('content-encoding'), plain?.headers.get('content-encoding')]).toEqual(['gzip', null]);
    expect(await zipped?.text()).toBe(await plain?.text());
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

  test('costs at most 100 KB a request, compressed for whoever asks', async () => {
    for (const path of ['/docs', ...(await assetsOf('/docs'))]) {
      const reply = await get(path, { headers: { 'Accept-Encoding': 'identity' } });
      expect([path, reply.headers.get('content-encoding')]).toEqual([path, 'gzip']);
      expect([path, Number(reply.headers.get('content-length')) <= 100_000]).toEqual([path, true]);
    }
  });

  test('names no address of others, and a browser is told to load and call none', async () => {
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

  test('/docs/ leads to it, too', async () => {
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

  test('is in the log by its pattern', async () => {
    const reply = await get('/docs/start.js');
    const logged = lines.map((line) => JSON.parse(line));
    expect(logged).toContainEqual(
      expect.objectContaining({
        request_id: reply.headers.get('x-request-id'),
        route: 'ANY /docs/{file}',
        status: 200,
      }),
    );
  });
});

/** Fills the fields of Swagger UI's dialog, by the names of the security schemes. */
async function authorise(page: Page, values: Readonly<Record<string, string>>): Promise<void> {
  await page.locator('.auth-wrapper .authorize').click();
  for (const [scheme, value] of Object.entries(values)) {
    const form = page
      .locator('.auth-container')
      .filter({ has: page.locator('code', { hasText: new RegExp(`^${scheme}$`) }) });
    await form.locator('input').fill(value);
    await form.locator('button[type=submit]').click();
  }
  await page.locator('.modal-ux .close-modal').click();
}

/** Opens the family, where it is closed. */
async function openFamily(page: Page, family: string): Promise<void> {
  const tag = page.locator(`.opblock-tag[data-tag="${family}"]`);
  if ((await tag.getAttribute('data-is-open')) !== 'true') await tag.locator('.expand-operation').click();
}

/** Opens an operation, sends its example, and returns the status and the body that the page shows. */
async function sendExample(page: Page, operation: string): Promise<{ status: string; body: string }> {
  await openFamily(page, operationNamed(operation).family);
  const block = page.locator(`.opblock[id$="-${operation}"]`);
  await block.locator('.opblock-summary-control').click();
  await block.locator('.execute').click();
  const shown = block.locator('.live-responses-table .response');
  await shown.waitFor();
  const status = await shown.locator('.response-col_status').innerText();
  return { status: status.trim(), body: await shown.locator('.highlight-code').first().innerText() };
}

async function openDocs(
  browser: Browser,
  baseUrl: string,
  width: number,
  watch: (page: Page) => void = () => {},
): Promise<Page> {
  const page = await browser.newPage({ viewport: { width, height: 1600 } });
  page.setDefaultTimeout(240_000);
  watch(page);
  await page.goto(`${baseUrl}/docs`);
  await page.locator('.opblock-tag').first().waitFor();
  return page;
}

/** What the test needs of the page's `ui`. */
interface SwaggerUi {
  fn: { resolveSubtree(document: object, path: readonly string[]): Promise<{ spec: unknown }> };
  specSelectors: { specJson(): { toJS(): { paths: Record<string, object> } } };
}

/** Runs in the page: the references that are left in these operations as the page prepares them when they are opened. */
async function unresolved(operations: readonly { path: string; method: string }[]): Promise<string[]> {
  const { ui } = globalThis as unknown as { ui: SwaggerUi };
  const document = ui.specSelectors.specJson().toJS();
  const refs = new Set<string>();
  for (const { path, method } of operations) {
    const { spec } = await ui.fn.resolveSubtree(document, ['paths', path, method]);
    JSON.stringify(spec, (key, value) => {
      if (key === '$ref' && typeof value === 'string') refs.add(value);
      return value;
    });
  }
  return [...refs];
}

/** Each operation of the document. */
function documented(): { path: string; method: string }[] {
  const { paths } = openapiDocument() as { paths: Record<string, object> };
  return Object.entries(paths).flatMap(([path, methods]) => Object.keys(methods).map((method) => ({ path, method })));
}

/** The references to schemas that are within themselves. */
function withinThemselves(): string[] {
  const prefix = '#/components/schemas/';
  const { schemas } = openapiDocument().components as { schemas: Record<string, unknown> };
  const namedBy = (value: unknown) =>
    [...JSON.stringify(value).matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)].map(([, name = '']) => name);
  const reached = (names: readonly string[], seen = new Set<string>()): Set<string> => {
    for (const name of names.filter((one) => !seen.has(one))) reached(namedBy(schemas[name]), seen.add(name));
    return seen;
  };
  return Object.keys(schemas)
    .filter((name) => reached(namedBy(schemas[name])).has(name))
    .map((name) => prefix + name)
    .sort();
}

describe('a reader in a browser', () => {
  let browser: Browser | undefined;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser?.close());

  test('authorises, sends a request and sees what comes, and what every reference but those of a schema to itself leads to', async ({
    skip,
  }) => {
    if (!browser) return skip(noBrowser);
    const origins = new Set<string>();
    const faults: string[] = [];
    const page = await openDocs(browser, server.baseUrl, 1300, (opened) => {
      opened.on('request', (request) => {
        if (!request.url().startsWith('data:')) origins.add(new URL(request.url()).origin);
      });
      opened.on('console', (message) => {
        if (message.type() === 'error') faults.push(message.text());
      });
      opened.on('pageerror', (error) => faults.push(error.message));
    });

    await authorise(page, {
      appId: project.credentials['x-app-id'] ?? '',
      appToken: project.credentials['x-app-token'] ?? '',
    });
    const voucher = await sendExample(page, 'get-voucher');
    expect(voucher.status).toBe('200');
    expect(voucher.body).toContain('"code": "CREW-INGRID"');
    const reply = page.locator('.opblock[id$="-get-voucher"] tr.response[data-code="200"]');
    await reply.locator('.tablinks[data-name="model"]').click();
    expect(await reply.locator('.json-schema-2020-12__title').first().innerText()).toBe('Voucher');
    // A second of the page's for each thirty of them.
    const left = await page.evaluate(unresolved, [...sampled(documented(), 24)]);
    const recursive = withinThemselves();
    expect(left.filter((ref) => !recursive.includes(ref))).toEqual([]);
    if (isLong) expect(left.sort()).toEqual(recursive);
    const token = await sendExample(page, 'issue-token');
    expect(token.status).toBe('200');
    expect(token.body).toContain('"token_type": "Bearer"');
    await page.screenshot({ path: join(import.meta.dirname, '../../.dist/docs.png') });

    expect([...origins]).toEqual([server.baseUrl]);
    expect(faults).toEqual([]);
  });

  test('of the local server has its demo key in place, and what they enter is remembered', async ({ skip }) => {
    if (!browser) return skip(noBrowser);
    const { 'x-app-id': app_id = '', 'x-app-token': app_token = '' } = project.credentials;
    const report = { project: { id: project.id, name: 'Demo' }, appKey: { app_id, app_token }, counts: {} };
    const local = await startServer({
      dependencies: testDependencies(),
      port: 0,
      welcome: {
        engine: { name: 'x', endpoint: 'x', why: 'x', data: 'x', stop: async () => {} },
        projectFile: 'x',
        report: { ...report, voucherCode: undefined },
      },
    });
    try {
      const page = await openDocs(browser, local.baseUrl, 1300);
      expect((await sendExample(page, 'get-voucher')).status).toBe('200');

      await page.evaluate("window.ui.authActions.logout(['appToken'])");
      await authorise(page, { appToken: 'not-the-token' });
      // Not a reload, which opens the operation that the address then names.
      await page.goto(`${local.baseUrl}/docs`);
      expect((await sendExample(page, 'get-voucher')).status).toBe('401');
    } finally {
      await local.close();
    }
  });

  test('on a telephone sees all of it without moving the page sideways, and the dialog from its beginning', async ({
    skip,
  }) => {
    if (!browser) return skip(noBrowser);
    const page = await openDocs(browser, server.baseUrl, 390);
    await page.locator('.auth-wrapper .authorize').click();
    await page.locator('.modal-ux input').first().waitFor();
    await page.waitForFunction("document.activeElement === document.querySelector('.modal-ux input')");
    const asked = await page.locator('.modal-ux .auth-container code').allInnerTexts();
    expect(asked.filter((text) => /^\w+(Id|Token)$/.test(text)).slice(0, 2)).toEqual(['appId', 'appToken']);
    await page.locator('.modal-ux .close-modal').click();

    const families = await page.locator('.opblock-tag').evaluateAll((all) => all.map(({ dataset }) => dataset.tag));
    expect(families.slice(0, 2)).toEqual(['vouchers', 'campaigns']);
    expect(families[families.indexOf('oauth') + 1]).toBe('management');
    for (const operation of sampled(['create-campaign', 'get-voucher', 'transfer-points'], 1)) {
      await sendExample(page, operation);
    }
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
  });
});

describe('the function of the stack', () => {
  let bundle: Bundle;

  beforeAll(async () => {
    bundle = await sharedBundle('docs');
  });

  /** In a Node.js process with nothing but the bundle, one after the other. */
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
    return JSON.parse((await linesOf(script)).at(-1) ?? '') as { statusCode: number; body: string }[];
  }

  test('serves the document, the page and its assets from its own folder', async () => {
    const paths = ['/docs', ...(await assetsOf('/docs'))];
    const [document, away, posted, ...served] = await calls([
      ['/openapi.json'],
      ['/docs/..%2findex.mjs'],
      ['/docs', 'POST'],
      ...paths.map((path) => [path] as const),
    ]);
    expect(JSON.parse(Buffer.from(document?.body ?? '', 'base64').toString())).toEqual(openapiDocument());
    for (const [index, path] of paths.entries()) {
      const { statusCode, body } = served[index] ?? { statusCode: 0, body: '' };
      expect([path, statusCode]).toEqual([path, 200]);
      expect(gunzipSync(Buffer.from(body, 'base64'))).toEqual(Buffer.from(await (await get(path)).arrayBuffer()));
    }
    expect([away?.statusCode, posted?.statusCode]).toEqual([404, 405]);
  });

  test('is small: no code of the endpoints, and files that fit a reply of Lambda', async () => {
    expect(bundle.gzipBytes).toBeLessThanOrEqual(10_000);
    const folder = join(bundle.dir, 'files');
    const sizes = await Promise.all((await readdir(folder)).map(async (name) => (await stat(join(folder, name))).size));
    // Swagger UI is most of it: beside the code, not in it, so that a start does not parse it. The document grows with the operations.
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(800_000);
  });
});
