import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect } from 'vitest';
import { demoApi } from '../support/console-api.ts';
import { consoleTasks, type TaskConsole } from '../support/console-tasks.ts';

/** Compares the first screen with the books of a day, which have the figures of the replies to tills. */

const items = [
  { product_id: 'prod_beans', quantity: 2 },
  { product_id: 'prod_filter', quantity: 1 },
];
const voucher = (id: string) => ({ object: 'voucher', id });
const twoBags = { object: 'promotion_tier', id: 'promo_two_bags' };
const dayInMs = 86_400_000;

interface Books {
  readonly discount: number;
  readonly turnover: number;
  readonly at: string;
}

/** Makes a day: a checkout of two that stays, one of two and one of one that are rolled back, and a refusal. */
async function liveADay({ address }: TaskConsole): Promise<Books> {
  const api = demoApi(address);
  const coupon = { type: 'DISCOUNT_VOUCHER', discount: { type: 'AMOUNT', amount_off: 300 } };
  const open = { redemption: { quantity: null } };
  await api.post('/v1/vouchers/PEBBLE', { ...coupon, ...open });
  await api.post('/v1/vouchers/PURSE', { type: 'GIFT_VOUCHER', gift: { amount: 5_000, balance: 5_000 }, ...open });
  const soon = new Date(Date.now() + 3 * dayInMs).toISOString();
  await api.post('/v1/vouchers/LAST-CALL', { ...coupon, expiration_date: soon });
  const redeem = (redeemables: readonly object[]) =>
    api.post('/v1/redemptions', { redeemables, order: { items }, customer: { source_id: 'crm/103' } });
  const kept = await redeem([voucher('PEBBLE'), twoBags]);
  const back = await redeem([voucher('PEBBLE'), voucher('PURSE')]);
  await api.post(`/v1/redemptions/${back.parent_redemption.id}/rollbacks`);
  const single = await redeem([voucher('PEBBLE')]);
  await api.post(`/v1/redemptions/${single.redemptions[0].id}/rollback`);
  // A second rollback is refused, which does not count as a refusal of a customer.
  await api.post(`/v1/redemptions/${single.redemptions[0].id}/rollback`);
  await redeem([voucher('TIDE-ASLEEP')]);
  const { amount, total_amount: turnover } = kept.order;
  return { discount: amount - turnover, turnover, at: kept.parent_redemption.date };
}

const write = (minor: number) =>
  (minor / 100).toLocaleString('en-GB', { minimumFractionDigits: 2, maximumFractionDigits: 2 });

const folder = mkdtempSync(join(tmpdir(), 'tessera-today-'));
afterAll(() => rm(folder, { recursive: true }));

describe.each([
  ['from reports', { DATA_DIR: folder }],
  ['from the list of a server without facts', {}],
] as const)('the first screen, %s', (_, env) => {
  // For ten hours the day of this browser differs from the project's day.
  const task = consoleTasks({ env: { DEMO_LIFE: 'off', ...env }, timezoneId: 'Pacific/Honolulu' });
  let books: Books;
  const figure = ({ page }: TaskConsole, label: string) =>
    page.locator('.figure', { has: page.locator('.label', { hasText: new RegExp(`^${label}$`) }) });
  const readFigure = (open: TaskConsole, label: string) => figure(open, label).locator('strong').innerText();

  task(
    'counts no record twice, no rollback as a redemption or a refusal, and no payment as a discount',
    async (open) => {
      books = await liveADay(open);
      const { page, show, address } = open;
      // The day of the books is over for a test that runs at midnight.
      await page.clock.setFixedTime(new Date(books.at));
      if ('DATA_DIR' in env) {
        const day = books.at.slice(0, 10);
        const api = demoApi(address);
        const ask = () => api.post('/v1/reports/redemptions', { by: 'day', from: day, to: day });
        await api.until(ask, ({ rows = [] }) => rows[0]?.rollbacks === 3 && rows[0].failures === 1);
      }
      await show('?period=day');
      expect(await readFigure(open, 'Redemptions')).toBe('2');
      expect(await figure(open, 'Redemptions').innerText()).toContain('3 rolled back');
      expect(await readFigure(open, 'Discount')).toBe(write(books.discount));
      expect(await readFigure(open, 'Redeemed turnover')).toBe(write(books.turnover));
      expect(await readFigure(open, 'Refusals')).toBe('1');
      await page.getByText('Days of UTC.').waitFor();
    },
  );

  task('compares a week with the week before, and has the same figures in every period', async (open) => {
    for (const period of ['week', 'month']) {
      await open.show(`?period=${period}`);
      expect(await readFigure(open, 'Redemptions')).toBe('2');
      expect(await figure(open, 'Redemptions').innerText()).toContain('0 before');
      expect(await readFigure(open, 'Discount')).toBe(write(books.discount));
    }
  });

  task('names campaigns, and never their tiers', async ({ page, show }) => {
    await show('?period=day');
    const ranking = page.locator('.panel', { has: page.getByRole('heading', { name: 'By campaign' }) });
    const lines = (await ranking.locator('li').allInnerTexts()).map((text) => text.replaceAll('\n', ' '));
    expect(lines.sort()).toEqual(['Bean basket 1', 'Without a campaign 1']);
  });

  task(
    'shows a checkout of two as one row, and narrows the list to the bar that is clicked',
    async ({ page, show }) => {
      await show('?period=day');
      const hour = `${books.at.slice(11, 13)}:00`;
      await page.getByRole('link', { name: new RegExp(`^${hour}: 2 redeemed, 1 refused$`) }).click();
      const list = page.locator('.panel', { has: page.getByRole('heading', { name: `Checkouts of ${hour}` }) });
      expect(await list.locator('tbody tr').count()).toBe(4);
      const row = list.locator('tbody tr', { hasText: 'Two bags' });
      expect(await row.innerText()).toContain('PEBBLE');
      expect(await row.innerText()).toContain('Siân Price');
      expect(await row.innerText()).toContain(write(books.discount));
      const other = page.locator('.slot', { hasText: `${hour === '00:00' ? '03' : '00'}:00` });
      await other.first().click();
      await page.getByText('Nothing was redeemed.').waitFor();
    },
  );

  task('says what needs a person: failed work, webhooks that are off, codes and budgets that end', async (open) => {
    const { page, show, address } = open;
    const api = demoApi(address);
    await api.sendCsv('/v1/vouchers/importCSV', 'Code,Value,Voucher Type\nP-1,none,GIFT_VOUCHER\n');
    const rules = { '1': { name: 'campaign.orders.amount_discounted', conditions: { $less_than_or_equal: [1_500] } } };
    const rule = await api.post('/v1/validation-rules', { name: 'Budget', rules: { ...rules, logic: '1' } });
    const about = { related_object_id: 'camp_beans', related_object_type: 'campaign' };
    await api.post(`/v1/validation-rules/${rule.id}/assignments`, about);
    const summary = () => api.get('/v1/campaigns/camp_beans/summary');
    const { discounted_amount: discounted } = await api.until(summary, (one) => one.discounted_amount > 0);
    const work = () => api.get('/v1/async-actions?limit=5');
    const hasFailed = (one: { operation_status: string }) => one.operation_status === 'FAILED';
    await api.until(work, ({ async_actions: all }) => all.some(hasFailed));
    await show('');
    const needs = page.locator('.needs li');
    await needs.filter({ hasText: '1 row failed' }).waitFor();
    await needs.filter({ hasText: 'Bean basket' }).waitFor();
    const lines = (await needs.allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' '));
    expect(lines).toContainEqual(expect.stringMatching(/^Failed Vouchers import csv .* 1 row failed$/));
    expect(lines).toContainEqual('Webhook off till.harbourcoffee.example');
    expect(lines).toContainEqual(
      expect.stringContaining(`Budget Bean basket has ${write(1_500 - discounted)} of 15.00`),
    );
    expect(lines).toContainEqual(expect.stringMatching(/^Ends LAST-CALL until/));
  });

  task('rolls a checkout back as a whole from one of its codes, after it says what returns', async (open) => {
    const { page, show, address } = open;
    await show('/redemptions');
    await page.locator('tbody tr', { hasText: 'Two bags' }).locator('a.row').click();
    await page.locator('.drawer').getByRole('link', { name: 'PEBBLE' }).click();
    await page.locator('.drawer').getByRole('button', { name: 'Roll back all 2 of this checkout' }).click();
    const dialog = page.locator('dialog[open]');
    expect(await dialog.locator('.returns li').allInnerTexts()).toEqual([
      'PEBBLE gets its use back, and takes back a discount of 3.00.',
      `Two bags gets its use back, and takes back a discount of ${write(books.discount - 300)}.`,
      'The order is canceled, unless the stacking rules keep it.',
    ]);
    await dialog.getByRole('button', { name: 'Roll back all 2 of this checkout' }).click();
    await page.getByText('Rolled back.').waitFor();
    await page.locator('.drawer .facts').getByText('Rolled back').waitFor();
    const { redemptions } = await demoApi(address).get(
      '/v1/redemptions?limit=1&filters[object][conditions][$is]=redemption_rollback',
    );
    expect(redemptions[0].status).toBe('SUCCEEDED');
  });
});
