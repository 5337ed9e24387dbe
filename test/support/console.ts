import { AxeBuilder } from '@axe-core/playwright';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';

/** Names every screen by its address below `/console`. The objects exist in the demo. */
export const consoleScreens: Readonly<Record<string, string>> = {
  today: '?period=month',
  simulator: '/simulator?items=prod_beans*1,prod_filter*3&codes=SPILT-MY-CUP,promo_two_bags&customer=cust_ingrid',
  campaigns: '/campaigns?open=camp_morning',
  calendar: '/campaigns?view=calendar&month=2026-01',
  campaign: '/campaigns/camp_morning',
  builder: '/campaigns/new?step=rule&least=20&name=Spring',
  vouchers: '/vouchers?open=CREW-INGRID',
  voucher: '/vouchers/TIDE-ASLEEP',
  promotions: '/promotions?open=promo_two_bags',
  stacking: '/stacking-rules?draft={"exclusive_categories":["cat_regulars"]}',
  loyalty: '/loyalty',
  programme: '/loyalty/camp_crew',
  closes: '/closes',
  reports: '/reports',
  report: '/reports/redemptions?by=campaign&from=2026-09-01&figure=discount_minor',
  rules: '/rules?open=val_two_bags',
  customers: '/customers?open=cust_ingrid',
  customer: '/customers/cust_ingrid',
  segments: '/segments?open=seg_regulars',
  catalogue: '/catalogue?open=prod_beans',
  orders: '/orders?open=ord_guest',
  order: '/orders/ord_pickup',
  return: '/orders/ord_guest/returns/ret_guest',
  redemptions: '/redemptions',
  work: '/work',
  webhooks: '/webhooks',
  webhook: '/webhooks/wh_till?open=whs_of_the_example',
  exports: '/work?tab=exports',
  settings: '/settings',
  people: '/settings?tab=people',
  keys: '/settings?tab=keys',
  pages: '/settings?tab=pages',
  project: '/settings?tab=project',
  brand: '/settings?tab=brand',
  schemas: '/settings?tab=schemas',
  bin: '/settings?tab=bin',
  erasure: '/settings?tab=erasure',
};

export interface OpenConsole {
  readonly context: BrowserContext;
  readonly page: Page;
  /** Collects errors of the page, and messages that the browser calls errors. */
  readonly faults: string[];
  /** Opens a screen, and waits until everything is loaded. */
  readonly show: (path: string) => Promise<void>;
}

interface Key {
  readonly appId: string;
  readonly appToken: string;
}

interface ManagementKey {
  readonly managementId: string;
  readonly managementToken: string;
}

/** Puts a value into the storage of each tab that is opened, unless the tab has changed it. */
const storing = (name: string, value: unknown) =>
  `sessionStorage.getItem('${name}') ?? sessionStorage.setItem('${name}', ${JSON.stringify(JSON.stringify(value))})`;

/** Opens the console at an address, signed in with a key or with the key of a local server. */
export async function openConsole(
  browser: Browser,
  address: string,
  { key, management, ...options }: BrowserContextOptions & { key?: Key; management?: ManagementKey } = {},
): Promise<OpenConsole> {
  const context = await browser.newContext({
    ...{ viewport: { width: 1360, height: 900 }, reducedMotion: 'reduce', locale: 'en-GB' },
    ...options,
  });
  if (key) await context.addInitScript(storing('tessera.session', { kind: 'app', ...key }));
  if (management) await context.addInitScript(storing('tessera.management', management));
  const page = await context.newPage();
  page.setDefaultTimeout(120_000);
  const faults: string[] = [];
  // The browser logs each reply of 400 and more. The screens explain them, so they do not count as faults.
  page.on('console', (message) => {
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      faults.push(message.text());
  });
  page.on('pageerror', (error) => faults.push(error.message));
  const show = async (path: string) => {
    await page.goto(`${address}/console${path}`);
    await page.locator('main h1, main .empty').first().waitFor();
    await page.locator('.waiting').first().waitFor({ state: 'detached' });
  };
  return { context, page, faults, show };
}

interface Violation {
  readonly id: string;
  readonly impact?: string | null | undefined;
  readonly nodes: readonly { readonly html: string }[];
}

const describeAll = (violations: readonly Violation[]) =>
  violations
    .filter(({ impact }) => impact !== 'minor')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`);

/** Looks at colours alone, because another scheme changes nothing else. The run before has left axe in the page. */
const lookAtColours = `axe.run(document, { resultTypes: ['violations'], runOnly: ['color-contrast'] })
  .then(({ violations }) => violations)`;

/** Lists what axe finds in light and dark. It reports violations alone, because all else would need most of the time. */
async function findBarriers(page: Page): Promise<string[]> {
  const options = { resultTypes: ['violations' as const] };
  const light = await new AxeBuilder({ page }).setLegacyMode().options(options).analyze();
  await page.emulateMedia({ colorScheme: 'dark' });
  const dark = await page.evaluate<Violation[]>(lookAtColours);
  await page.emulateMedia({ colorScheme: 'light' });
  return [...describeAll(light.violations), ...describeAll(dark)];
}

const widths = [360, 800, 2_560, 1_360];

/** Lists what is wrong with a screen in light and dark, and the widths at which it scrolls sideways. */
export async function findFaults(page: Page): Promise<string[]> {
  const barriers = await findBarriers(page);
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 });
    const needed = Number(await page.evaluate('document.documentElement.scrollWidth'));
    if (needed !== width) barriers.push(`a width of ${width} needs ${needed}`);
  }
  return barriers;
}
