import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startServer } from '../../infra/local/server.ts';
import { findOperation } from '../../infra/operations.ts';
import { noBrowser, openBrowser } from '../support/browser.ts';
import { loadDemo } from '../support/demo.ts';
import { testDependencies } from '../support/dependencies.ts';
import { theDocument } from '../support/openapi.ts';
import { isLong, sampled } from '../support/sampled.ts';

const dependencies = testDependencies();

const project = await loadDemo(dependencies);
const server = await startServer({ dependencies, port: 0 });

afterAll(() => server.close());

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

/** Opens the family if it is closed. */
async function openFamily(page: Page, family: string): Promise<void> {
  const tag = page.locator(`.opblock-tag[data-tag="${family}"]`);
  if ((await tag.getAttribute('data-is-open')) !== 'true') await tag.locator('.expand-operation').click();
}

/** Opens an operation, sends its example, and returns the status and the body that the page shows. */
async function sendExample(page: Page, operation: string): Promise<{ status: string; body: string }> {
  await openFamily(page, findOperation(operation).family);
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

/** Describes the part of the page's `ui` that the test uses. */
interface SwaggerUi {
  fn: { resolveSubtree(document: object, path: readonly string[]): Promise<{ spec: unknown }> };
  specSelectors: { specJson(): { toJS(): { paths: Record<string, object> } } };
}

/** Runs in the page. Collects the references that remain in these operations after the page opened them. */
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

/** Lists each operation of the document. */
function documented(): { path: string; method: string }[] {
  const { paths } = theDocument() as { paths: Record<string, object> };
  return Object.entries(paths).flatMap(([path, methods]) => Object.keys(methods).map((method) => ({ path, method })));
}

/** Lists the references to schemas that contain themselves. */
function withinThemselves(): string[] {
  const prefix = '#/components/schemas/';
  const { schemas } = theDocument().components as { schemas: Record<string, unknown> };
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

  test('authorises, sends a request and sees the reply, and sees every reference resolved except recursive ones', async ({
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
    const headers = reply.locator('details.folded');
    expect(await headers.getAttribute('open')).toBeNull();
    await headers.locator('summary').click();
    await headers.getByText('X-Request-Id').waitFor();
    const refusal = page.locator('.opblock[id$="-get-voucher"] tr.response[data-code="404"]');
    expect(await refusal.innerText()).toMatch(/^404\s+▸?\s*not_found$/);
    await refusal.locator('.fold').click();
    await refusal.getByText('Resource not found').first().waitFor();
    // The page may need a second for each thirty references.
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

  test('sees a dark page on a dark system, and finds a family by a text', async ({ skip }) => {
    if (!browser) return skip(noBrowser);
    const page = await openDocs(browser, server.baseUrl, 1300);
    const background = 'getComputedStyle(document.documentElement).backgroundColor';
    const light = await page.evaluate(background);
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.locator('html.dark-mode').waitFor({ state: 'attached' });
    expect(await page.evaluate(background)).not.toBe(light);
    await page.emulateMedia({ colorScheme: 'light' });
    await page.locator('html:not(.dark-mode)').waitFor({ state: 'attached' });

    await page.locator('.operation-filter-input').fill('rewa');
    await page.locator('.opblock-tag').nth(2).waitFor({ state: 'detached' });
    for (const text of await page.locator('.opblock-tag').allInnerTexts()) expect(text.toLowerCase()).toContain('rewa');
  });

  test('of the local server finds its demo key filled in, and the page remembers other input', async ({ skip }) => {
    if (!browser) return skip(noBrowser);
    const { 'x-app-id': app_id = '', 'x-app-token': app_token = '' } = project.credentials;
    const local = await startServer({ dependencies: testDependencies(), port: 0, demoKey: { app_id, app_token } });
    try {
      const page = await openDocs(browser, local.baseUrl, 1300);
      expect((await sendExample(page, 'get-voucher')).status).toBe('200');

      await page.evaluate("window.ui.authActions.logout(['appToken'])");
      await authorise(page, { appToken: 'not-the-token' });
      // A reload would open the operation that the address then names.
      await page.goto(`${local.baseUrl}/docs`);
      expect((await sendExample(page, 'get-voucher')).status).toBe('401');
    } finally {
      await local.close();
    }
  });

  test('on a telephone never scrolls sideways, and sees the dialog from its top', async ({ skip }) => {
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
