import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect } from 'vitest';
import { reports } from '#addons/reports/report-list.ts';
import { listVisits } from '../../infra/local/demo-life.ts';
import { findFaults } from '../support/console.ts';
import { demoApi } from '../support/console-api.ts';
import { consoleTasks, type TaskConsole } from '../support/console-tasks.ts';

/** Reads reports in a browser, on the server of `npm start` with a folder of data. */

const folder = mkdtempSync(join(tmpdir(), 'tessera-reports-'));
const least = listVisits(new Date()).length;
const task = consoleTasks({ env: { DATA_DIR: folder, DEMO_LIFE: 'on' } });

afterAll(() => rm(folder, { recursive: true }));

const headers = { 'X-App-Id': 'demo-app', 'X-App-Token': 'demo-token-for-local-use-only' };
const json = { ...headers, 'Content-Type': 'application/json' };

interface Figures {
  readonly redemptions: number;
  readonly failures: number;
}

/** Waits until the facts have the whole life of the demo. */
async function waitForLife({ address }: TaskConsole) {
  const api = demoApi(address);
  const sum = (rows: readonly Figures[]) => rows.reduce((all, one) => all + one.redemptions + one.failures, 0);
  const ask = () => api.post('/v1/reports/redemptions', { by: 'voucher_type', from: '2026-01-01' });
  await api.until(ask, ({ rows = [] }) => sum(rows) >= least);
}

task('lists every report in words, and each one shows its rows or says that there are none', async (open) => {
  const { page, show } = open;
  await show('/reports');
  await waitForLife(open);
  const links = page.locator('main td a');
  const count = await links.count();
  expect(count).toBe(Object.keys(reports).length);
  for (let place = 0; place < count; place += 1) {
    await links.nth(place).click();
    await page.locator('.wide tbody tr, main .empty').first().waitFor();
    expect(await page.locator('[role=alert]').count()).toBe(0);
    await page.getByRole('link', { name: 'All reports' }).click();
    await page.getByRole('heading', { name: 'Reports', exact: true }).waitFor();
  }
});

task('makes a report by a form, draws a figure, and keeps both in the address', async ({ page, show, address }) => {
  await show('/reports');
  await page.getByRole('link', { name: 'Redemptions', exact: true }).last().click();
  await page.getByRole('heading', { name: 'Uses by day' }).waitFor();
  await page.getByLabel('A row for each').selectOption({ label: 'Campaign' });
  await page.getByLabel('First day').fill('2026-01-01');
  await page.getByRole('button', { name: 'Show' }).click();
  await page.getByLabel('Figure of the picture').selectOption({ label: 'Discount' });
  await page.getByRole('heading', { name: 'Discount by campaign' }).waitFor();
  const { searchParams } = new URL(page.url());
  const state = { from: '2026-01-01', by: 'campaign', figure: 'discount_minor' };
  expect(Object.fromEntries(searchParams)).toEqual(state);
  const body = JSON.stringify({ by: 'campaign', from: '2026-01-01', limit: 1_000, as_file: false });
  const reply = await fetch(`${address}/v1/reports/redemptions`, { method: 'POST', headers: json, body });
  const { rows } = (await reply.json()) as { rows: { group_key: string; uses: number; discount_minor: number }[] };
  const basket = rows.find(({ group_key: id }) => id === 'camp_beans');
  const shown = await page.locator('.ranking li', { hasText: 'Bean basket' }).locator('b').innerText();
  expect(Number(shown.replace(',', '')) * 100).toBe(basket?.discount_minor);
  await page.goBack();
  await page.goBack();
  await page.getByRole('heading', { name: 'Uses by day' }).waitFor();
  expect(await page.getByLabel('A row for each').inputValue()).toBe('');
  expect(await page.getByLabel('First day').inputValue()).toBe('');
});

task('writes all rows to files, and a link to them brings the same rows again', async ({ page, show }) => {
  await show('/reports/redemptions?by=code');
  await page.getByRole('button', { name: 'All rows as a file' }).click();
  const link = page.getByRole('link', { name: 'Rows as CSV' });
  const lines = (await (await fetch((await link.getAttribute('href')) ?? '')).text()).trim().split('\n');
  expect(lines[0]).toContain('group_key,');
  expect(await page.locator('.wide tbody tr').count()).toBe(lines.length - 1);
  expect(page.url()).toContain('action=');
  await page.reload();
  await link.waitFor();
});

task('explains days that the API refuses, and a report that does not exist', async ({ page, show }) => {
  await show('/reports/orders?from=2026-11-02&to=2026-11-01');
  await page.getByText('before it begins').waitFor();
  await show('/reports/weather');
  await page.getByText('This report does not exist.').waitFor();
});

task('pleases axe in light and dark, and never scrolls sideways, with rows', async ({ page, show }) => {
  await show('/reports/points?from=2026-01-01');
  await page.locator('.wide tbody tr').first().waitFor();
  expect(await findFaults(page)).toEqual([]);
});

task('asks for other days once, while an earlier report is still being made', async ({ page, show }) => {
  let asked = 0;
  await page.route('**/v1/reports/orders', (route) => {
    asked += 1;
    if (asked === 1) return route.fulfill({ status: 202, json: { async_action_id: 'aa_1' } });
  });
  await page.route('**/v1/async-actions/aa_1', (route) => route.fulfill({ json: { status: 'IN_PROGRESS' } }));
  await page.clock.install();
  await show('/reports/orders');
  await page.getByText('The report is being made.').waitFor();
  const other = page.waitForRequest('**/v1/reports/orders');
  await page.getByRole('link', { name: '90 days' }).click();
  await other;
  await page.clock.runFor(10_000);
  expect(asked).toBe(2);
});
