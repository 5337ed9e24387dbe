import { expect } from 'vitest';
import { words } from '../../console/words.ts';
import { consoleTasks } from '../support/console-tasks.ts';

const task = consoleTasks({ env: { DEMO_LIFE: 'off' } });

task('the oldest voucher, the only one that is off, is found by looking further', async (open) => {
  const { page, show, address } = open;
  await show('/vouchers?order=created_at');
  const code = (await page.locator('tbody a.row').first().innerText()).trim();
  for (const voucher of await page.locator('tbody a.row').allInnerTexts()) {
    const act = voucher.trim() === code ? 'disable' : 'enable';
    const headers = { 'x-app-id': 'demo-app', 'x-app-token': 'demo-token-for-local-use-only' };
    // One that is in this state already is refused.
    await fetch(`${address}/v1/vouchers/${encodeURIComponent(voucher.trim())}/${act}`, { method: 'POST', headers });
  }
  // The list of the demo is short, so each part has one voucher here, as if the list were long.
  await page.route(/\/v1\/vouchers\?limit=100(&starting_after_id=|$)/, (route) =>
    route.continue({ url: route.request().url().replace('limit=100', 'limit=1') }),
  );
  await show('/vouchers?state=$disabled');
  const look = page.locator('nav.pages');
  await look.getByText(words.list.looked('')).waitFor();
  const row = page.locator('tbody a.row');
  if ((await row.count()) === 0) await look.getByRole('button', { name: words.list.lookFurther }).click();
  await row.waitFor();
  expect((await row.innerText()).trim()).toBe(code);
  await look.getByRole('button', { name: words.list.lookFurther, disabled: true }).waitFor();
});
