import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RunningServer, startServer } from '../../infra/local/server.ts';
import { noBrowser, openBrowser } from '../support/browser.ts';
import { consoleScreens, findFaults, type OpenConsole, openConsole } from '../support/console.ts';
import { loadDemo } from '../support/demo.ts';
import { testDependencies } from '../support/dependencies.ts';
import { manageProjects } from '../support/managed-projects.ts';
import { loadProject, type TestProject } from '../support/project.ts';
import { sampled } from '../support/sampled.ts';

const numbers = Array.from({ length: 120 }, (_, index) => index + 1);

/** Fills every list beyond its first page, with names as long as callers may choose. */
const much = {
  campaigns: numbers.map((number) => ({
    id: `camp_${number}`,
    name: `Campaign ${number} ${'of the harbour and its quays '.repeat(3)}`,
    campaign_type: 'DISCOUNT_COUPONS',
    type: 'AUTO_UPDATE',
    voucher: { type: 'DISCOUNT_VOUCHER', discount: { type: 'PERCENT', percent_off: 10 } },
  })),
  vouchers: numbers.map((number) => ({
    code: `CODE-${number}-${'X'.repeat(number % 60)}`,
    type: 'DISCOUNT_VOUCHER',
    discount: { type: 'AMOUNT', amount_off: number * 100_000 },
  })),
  customers: numbers.map((number) => ({
    id: `cust_${number}`,
    name: `Customer ${number}`,
    email: `c${number}@post.example`,
  })),
  products: numbers.map((number) => ({ id: `prod_${number}`, name: `Product ${number}`, price: number * 99 })),
};

/** Has one object for each screen of one object, to which nothing has happened yet. */
const bare = {
  campaigns: [
    {
      id: 'camp_bare',
      name: 'Nothing yet',
      campaign_type: 'DISCOUNT_COUPONS',
      type: 'AUTO_UPDATE',
      voucher: { type: 'DISCOUNT_VOUCHER', discount: { type: 'PERCENT', percent_off: 10 } },
    },
    {
      id: 'camp_crew',
      name: 'No members yet',
      campaign_type: 'LOYALTY_PROGRAM',
      type: 'AUTO_UPDATE',
      voucher: { type: 'LOYALTY_CARD', loyalty_card: { points: 0 } },
    },
  ],
  vouchers: [{ code: 'BARE', type: 'GIFT_VOUCHER', gift: { amount: 0 } }],
  customers: [{ id: 'cust_bare' }],
  webhooks: [{ id: 'wh_bare', target_url: 'https://bare.example/', events: ['customer.created'], active: false }],
};

const dependencies = testDependencies();
const { createKey } = manageProjects();
let browser: Browser | undefined;
let server: RunningServer;
let projects: Readonly<Record<string, TestProject>>;
let managers: Readonly<Record<string, { readonly managementId: string; readonly managementToken: string }>>;

async function managerOf({ id }: TestProject) {
  const { body } = await createKey(id, { type: 'MANAGEMENT', name: 'Console' });
  return { managementId: body.id, managementToken: body.token };
}

beforeAll(async () => {
  browser = await openBrowser();
  if (!browser) return;
  const own = [loadProject({}), loadProject(much), loadProject(bare)] as const;
  const [demo, empty, full, one] = await Promise.all([loadDemo(dependencies), ...own]);
  projects = { demo, empty, much: full, bare: one };
  const known = Object.entries(projects).map(async ([name, project]) => [name, await managerOf(project)] as const);
  managers = Object.fromEntries(await Promise.all(known));
  server = await startServer({ dependencies: { ...dependencies, managementGuard: 'keys' }, port: 0 });
});

afterAll(async () => {
  await browser?.close();
  await server?.close();
});

type Addresses = Readonly<Record<string, string>>;

/** Shows one object, by its id in the full project. The empty project lacks it, and says so. */
const details: Addresses = {
  campaign: '/campaigns/camp_7',
  voucher: '/vouchers/CODE-7-XXXXXXX',
  customer: '/customers/cust_7',
  programme: '/loyalty/camp_none',
  webhook: '/webhooks/wh_none',
};

const bareDetails: Addresses = {
  campaign: '/campaigns/camp_bare',
  voucher: '/vouchers/BARE',
  customer: '/customers/cust_bare',
  programme: '/loyalty/camp_crew',
  webhook: '/webhooks/wh_bare',
};

async function opened(state: string, options: Parameters<typeof openConsole>[2]) {
  const credentials = projects[state]?.credentials ?? {};
  const key = { appId: credentials['x-app-id'] ?? '', appToken: credentials['x-app-token'] ?? '' };
  if (!browser) throw new Error(noBrowser);
  const management = managers[state];
  return openConsole(browser, server.baseUrl, { key, ...(management ? { management } : {}), ...options });
}

const shared = new Map<string, Promise<OpenConsole>>();

/** Returns the page that all screens of a project share, because a new page reads every script again. */
function sharedPage(state: string): Promise<OpenConsole> {
  const page = shared.get(state) ?? opened(state, {});
  shared.set(state, page);
  return page;
}

const turns = new Map<string, Promise<unknown>>();

/** Shows a screen on the page of its project, one after the other. Pages of other projects work at the same time. */
function onPage(state: string, look: (open: OpenConsole) => Promise<void>): Promise<void> {
  const before = turns.get(state) ?? Promise.resolve();
  const own = before.then(async () => look(await sharedPage(state)));
  turns.set(
    state,
    own.catch(() => {}),
  );
  return own;
}

/** Returns the address of a screen without the objects of the demo. */
function addressOf(screen: string): string {
  const [path, query] = (details[screen] ?? consoleScreens[screen] ?? '').split('?');
  const params = new URLSearchParams(query);
  for (const name of ['open', 'items', 'codes', 'customer']) params.delete(name);
  return `${path}?${params}`;
}

const screens = Object.keys(consoleScreens);
const ofNobody = new Set(['programme', 'webhook']);
/** Neighbours are of different projects, so that their pages work simultaneously. */
const cases = [
  ...screens.flatMap((screen) => [
    [screen, 'demo', consoleScreens[screen] ?? ''] as const,
    [screen, 'empty', addressOf(screen)] as const,
    ...(ofNobody.has(screen) ? [] : [[screen, 'much', addressOf(screen)] as const]),
  ]),
  ...Object.entries(bareDetails).map(([screen, address]) => [screen, 'bare', address] as const),
];

test.concurrent.each(sampled(cases, 9))(
  'the screen %s of the project %s pleases axe in light and dark, logs no error, and scrolls sideways at no width',
  async (_screen, state, address) => {
    if (!browser) return;
    await onPage(state, async ({ page, show, faults }) => {
      await show(address);
      expect(await findFaults(page)).toEqual([]);
      expect(faults.splice(0)).toEqual([]);
    });
  },
);

test('a person without a key signs in, is refused with a wrong one, and signs out', async ({ skip }) => {
  if (!browser) return skip(noBrowser);
  const { context, page } = await openConsole(browser, server.baseUrl);
  await page.goto(`${server.baseUrl}/console/vouchers?order=code`);
  const { 'x-app-id': id = '', 'x-app-token': token = '' } = projects.demo?.credentials ?? {};
  await page.getByLabel('App id').fill(id);
  await page.getByLabel('App token').fill('wrong');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('alert').waitFor();
  await page.getByLabel('App token').fill(token);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Vouchers' }).waitFor();
  expect(page.url()).toContain('order=code');
  await page.goto(`${server.baseUrl}/console/settings`);
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByLabel('App id').waitFor();
  expect(await page.evaluate('sessionStorage.getItem("tessera.session")')).toBe('ended');
  await context.close();
});

test('webhooks ask for a management key, refuse a wrong one, and forget the key at the end', async ({ skip }) => {
  if (!browser) return skip(noBrowser);
  const { 'x-app-id': appId = '', 'x-app-token': appToken = '' } = projects.demo?.credentials ?? {};
  const { context, page } = await openConsole(browser, server.baseUrl, { key: { appId, appToken } });
  await page.goto(`${server.baseUrl}/console/webhooks`);
  const { managementId = '', managementToken = '' } = managers.demo ?? {};
  for (const token of ['wrong', managementToken]) {
    await page.getByLabel('Management id').fill(managementId);
    await page.getByLabel('Management token').fill(token);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page
      .locator(token === 'wrong' ? '[role=alert]' : 'a.row')
      .first()
      .waitFor();
  }
  await page.goto(`${server.baseUrl}/console/settings`);
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByLabel('App id').waitFor();
  expect(await page.evaluate('sessionStorage.getItem("tessera.management")')).toBeNull();
  await context.close();
});

test('a click with Shift selects a range of rows, and the range is switched off and on again', async ({ skip }) => {
  if (!browser) return skip(noBrowser);
  const { context, page, show } = await opened('much', {});
  await show('/vouchers?order=code');
  const boxes = page.locator('tbody input[type=checkbox]');
  await boxes.nth(1).click();
  await boxes.nth(4).click({ modifiers: ['Shift'] });
  await page.getByText('4 selected').waitFor();
  await boxes.nth(2).click();
  await page.getByText('3 selected').waitFor();
  await page.locator('.selected').getByRole('button', { name: 'Switch off' }).click();
  await page.getByText('3 codes are switched off.').waitFor();
  const off = page.locator('tbody tr .badge', { hasText: 'Off' });
  await off.nth(2).waitFor();
  expect(await off.count()).toBe(3);
  await page.getByRole('button', { name: 'Undo' }).click();
  await off.first().waitFor({ state: 'detached' });
  await off.last().waitFor({ state: 'detached' });
  expect(await off.count()).toBe(0);
  await context.close();
});

test('a list keeps its order, its page and its drawer in the address, by keyboard alone', async ({ skip }) => {
  if (!browser) return skip(noBrowser);
  const { context, page, show } = await opened('much', {});
  await show('/vouchers?order=code');
  const first = page.locator('a.row').first();
  await first.focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.locator('.drawer h1').waitFor();
  expect(page.url()).toContain('open=CODE-');
  await page.keyboard.press('Escape');
  await page.locator('.drawer').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Next' }).click();
  await page.getByText('26–50').waitFor();
  expect(page.url()).toContain('page=2');
  await page.goBack();
  await page.getByText('1–25').waitFor();
  await context.close();
});
