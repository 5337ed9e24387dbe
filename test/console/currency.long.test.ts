import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { words } from '../../console/words.ts';
import { type RunningServer, startServer } from '../../infra/local/server.ts';
import { noBrowser, openBrowser } from '../support/browser.ts';
import { openConsole } from '../support/console.ts';
import { testDependencies } from '../support/dependencies.ts';
import { loadSettings } from '../support/load-settings.ts';
import { issueToken } from '../support/tokens.ts';

let browser: Browser | undefined;
let server: RunningServer;

beforeAll(async () => {
  browser = await openBrowser();
  // No app key opens the paths of management here, and no test has another key.
  if (browser)
    server = await startServer({ dependencies: { ...testDependencies(), managementGuard: 'keys' }, port: 0 });
});

afterAll(async () => {
  await browser?.close();
  await server?.close();
});

const space = String.fromCodePoint(0xa0);

/** Lists currencies with a price of 1,250 minor units, as a browser shows and types it (ISO 4217). */
const currencies = [
  ['JPY', 'en-GB', '1,250', 'JP¥1,250', '1250'],
  ['KWD', 'en-GB', '1.250', `KWD${space}1.250`, '1.250'],
  ['KWD', 'de-DE', '1,250', `1,250${space}KWD`, '1,250'],
  ['EUR', 'de-DE', '12,5', `12,50${space}€`, '12,50'],
] as const;

test.each(currencies)(
  'a price of a project in %s is typed and shown by its decimals in a browser of %s',
  async (currency, locale, typed, shown, plain) => {
    if (!browser) return;
    const { credentials } = await loadSettings({ currency });
    const key = { appId: credentials['x-app-id'] ?? '', appToken: credentials['x-app-token'] ?? '' };
    const { context, page, show, faults } = await openConsole(browser, server.baseUrl, { key, locale });
    await show('/catalogue');
    await page.getByRole('button', { name: words.catalogue.create }).click();
    const dialog = page.locator('dialog[open]');
    await dialog.getByText(words.inMajorUnits(plain)).waitFor();
    await dialog.getByLabel('Name', { exact: true }).fill('Beans');
    await dialog.getByLabel('Price').fill(typed);
    const made = page.waitForResponse((reply) => reply.request().method() === 'POST');
    await dialog.locator('button.main').click();
    expect(await (await made).json()).toMatchObject({ price: 1_250 });
    await page.locator('.drawer').getByText(shown, { exact: true }).first().waitFor();
    await show('/catalogue');
    await page.locator('tbody').getByText(shown, { exact: true }).waitFor();
    await show('/settings');
    await page.getByText(words.settings.ofProject(currency)).waitFor();
    expect(await page.getByLabel(words.settings.currency).count()).toBe(0);
    expect(faults).toEqual([]);
    await context.close();
  },
);

test('a project without a currency has hundredths, with the sign that the browser names', async ({ skip }) => {
  if (!browser) return skip(noBrowser);
  const { credentials } = await loadSettings({}, { products: [{ id: 'prod_1', name: 'Beans', price: 1_250 }] });
  const key = { appId: credentials['x-app-id'] ?? '', appToken: credentials['x-app-token'] ?? '' };
  const { context, page, show } = await openConsole(browser, server.baseUrl, { key });
  await show('/catalogue');
  await page.locator('tbody').getByText('12.50', { exact: true }).waitFor();
  await show('/settings');
  await page.getByLabel(words.settings.currency).fill('jpy');
  await page.getByLabel(words.settings.currency).press('Tab');
  await page.getByText(words.settings.sample('JP¥1,234.50')).waitFor();
  await show('/catalogue');
  await page.locator('tbody').getByText('JP¥12.50', { exact: true }).waitFor();
  await context.close();
});

test('a token without the scope of reports sees its screens, with the currency that the browser names', async ({
  skip,
}) => {
  if (!browser) return skip(noBrowser);
  const products = [{ id: 'prod_1', name: 'Beans', price: 1_250 }];
  const { credentials } = await loadSettings({ currency: 'EUR' }, { products });
  const token = await issueToken(credentials, 'products');
  const { context, page, show } = await openConsole(browser, server.baseUrl);
  const session = JSON.stringify(JSON.stringify({ kind: 'bearer', token }));
  await context.addInitScript(`sessionStorage.setItem('tessera.session', ${session})`);
  await show('/catalogue');
  await page.locator('tbody').getByText('12.50', { exact: true }).waitFor();
  await show('/settings');
  await page.getByLabel(words.settings.currency).waitFor();
  await context.close();
});
