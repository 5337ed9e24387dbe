import { describe, expect } from 'vitest';
import { consoleTasks } from '../support/console-tasks.ts';

/** Does in a browser what operators of offers and of books do, on the server of `npm start`. */

const task = consoleTasks();

interface Discounted {
  id: string;
  total_discount_amount?: number;
  items: { discount_amount?: number; order_discount_share?: number }[];
}

const ofLines = ({ items }: Discounted) =>
  items.reduce((sum, { discount_amount: own = 0, order_discount_share: share = 0 }) => sum + own + share, 0);

describe('an operator of offers', () => {
  task('makes a stack of tiers in their order, and deletes it again', async ({ page, show }) => {
    await show('/promotions');
    await page.getByRole('button', { name: 'Make a stack' }).click();
    const dialog = page.locator('dialog[open]');
    await dialog.getByLabel('Name', { exact: true }).fill('Morning stack');
    await dialog.getByRole('checkbox').nth(1).check();
    await dialog.getByRole('checkbox').nth(0).check();
    await dialog.getByText('2. ').waitFor();
    await dialog.locator('button.main').click();
    const row = page.locator('.movable li', { hasText: 'Morning stack' });
    await row.getByText('tiers: 2').waitFor();
    await row.getByRole('link', { name: 'Simulate' }).waitFor();
    await row.getByRole('button', { name: 'Delete Morning stack' }).click();
    await row.waitFor({ state: 'detached' });
  });

  task('sees an example follow the stacking rules, saves them, and undoes that', async ({ page, show, address }) => {
    await show('/stacking-rules');
    const verdict = page.locator('.verdict');
    const before = await verdict.innerText();
    await page.getByLabel('Most of them that apply').fill('1');
    await page.getByLabel('Most of them that apply').press('Tab');
    await page.getByText('As many as may apply are applied.').first().waitFor();
    expect(await verdict.innerText()).not.toBe(before);
    await page.getByLabel('Part 1 cannot be used').check();
    await verdict.getByText('Nothing is used, because one cannot be used.').waitFor();
    await page.getByLabel('If one cannot be used').selectOption({ label: 'the others are used' });
    await verdict.getByText('The cart pays less.').waitFor();
    await page.getByText('Changes that are not saved: 2').waitFor();
    const stored = async () => {
      const reply = await fetch(`${address}/management/v1/projects/proj_demo/stacking-rules`);
      const { data } = (await reply.json()) as { data: { applicable_redeemables_limit: number }[] };
      return data[0]?.applicable_redeemables_limit;
    };
    expect(await stored()).toBe(5);
    await page.setViewportSize({ width: 390, height: 700 });
    const glance = page.locator('.glance');
    const sum = await glance.innerText();
    await page.getByLabel('Most of them that apply').fill('2');
    await page.getByLabel('Most of them that apply').press('Tab');
    const { y = 700, height = 0 } = (await glance.boundingBox()) ?? {};
    expect(y + height).toBeLessThanOrEqual(700);
    expect(await glance.innerText()).not.toBe(sum);
    await page.getByLabel('Most of them that apply').fill('1');
    await page.setViewportSize({ width: 1360, height: 900 });
    expect(await glance.isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('The rules are saved.').waitFor();
    expect(await stored()).toBe(1);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Undone.').waitFor();
    expect(await stored()).toBe(5);
  });

  task(
    'makes a campaign of three for two, whose code makes the cheapest of three free',
    async ({ page, show, address }) => {
      await show('/campaigns/new?step=benefit&name=Trio&count=1&prefix=TRIO-');
      await page.getByLabel('Discount', { exact: true }).selectOption({ label: 'Three for two, the cheapest free' });
      await page.getByText('Of each three units of an order, the cheapest is free.').waitFor();
      await page.getByRole('button', { name: 'Codes' }).click();
      await page.getByRole('button', { name: 'Review' }).click();
      await page.getByRole('button', { name: 'Make a campaign' }).click();
      await page.getByRole('heading', { name: 'Trio' }).waitFor();
      await page.getByText('Codes · 1').waitFor();
      const headers = {
        ...{ 'X-App-Id': 'demo-app', 'X-App-Token': 'demo-token-for-local-use-only' },
        'Content-Type': 'application/json',
      };
      const listed = await fetch(`${address}/v1/vouchers?campaign=Trio`, { headers });
      const { vouchers } = (await listed.json()) as { vouchers: { code: string }[] };
      const items = [1_000, 1_500, 2_000].map((price) => ({ source_id: `own ${price}`, quantity: 1, price }));
      const redeemables = vouchers.map(({ code }) => ({ object: 'voucher', id: code }));
      const body = JSON.stringify({ redeemables, order: { items } });
      const reply = await fetch(`${address}/v1/validations`, { method: 'POST', headers, body });
      expect(await reply.json()).toMatchObject({ valid: true, order: { total_discount_amount: 1_000 } });
    },
  );

  task('makes a reward with a price, and gives another programme an existing one', async ({ page, show }) => {
    await show('/loyalty/camp_crew');
    await page.getByRole('button', { name: 'Add a reward' }).click();
    const dialog = page.locator('dialog[open]');
    await dialog.getByLabel('Name', { exact: true }).fill('Ten off');
    await dialog.getByLabel('Members get').selectOption({ label: 'money off an order' });
    await dialog.getByLabel('For these points').fill('50');
    await dialog.getByLabel('Members pay this amount').fill('10.00');
    await dialog.locator('button.main').click();
    await page.locator('tr', { hasText: 'Ten off' }).getByText('Coin').waitFor();
    await page.getByRole('button', { name: 'Add a reward' }).click();
    await dialog.getByLabel('Name', { exact: true }).fill('A bag to take away');
    await dialog.getByLabel('Members get').selectOption({ label: 'a product' });
    await dialog.getByLabel('Pieces').fill('20');
    await dialog.getByLabel('Price in points').fill('320');
    await dialog.locator('button.main').click();
    await page.locator('tr', { hasText: 'A bag to take away' }).getByText('320').waitFor();
  });

  task('reads the history of a campaign, with the way to each redemption', async ({ page, show, address }) => {
    const key = { 'X-App-Id': 'demo-app', 'X-App-Token': 'demo-token-for-local-use-only' };
    const headers = { ...key, 'Content-Type': 'application/json' };
    const post = async (path: string, body: object) => {
      const reply = await fetch(`${address}/v1/${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
      return (await reply.json()) as { readonly id: string };
    };
    const voucher = { type: 'DISCOUNT_VOUCHER', discount: { type: 'AMOUNT', amount_off: 3_000 } };
    const { id } = await post('campaigns', { name: 'Windfall', campaign_type: 'DISCOUNT_COUPONS', voucher });
    await post(`campaigns/${id}/vouchers/WIND-1`, {});
    await post('redemptions', { redeemables: [{ object: 'voucher', id: 'WIND-1' }], order: { amount: 20_000 } });
    await show(`/campaigns/${id}`);
    const history = page.locator('.panel', { has: page.getByRole('heading', { name: 'History' }) });
    await history.getByText('The campaign was made.').waitFor();
    await history.getByRole('link', { name: 'WIND-1 was redeemed.' }).click();
    await page.locator('.drawer h1').getByText('WIND-1').waitFor();
  });
});

describe('an operator of books', () => {
  task('estimates points, closes a month, and reads statement, journal and files', async ({ page, show }) => {
    await show('/loyalty/camp_crew');
    await page.getByRole('button', { name: 'Add an estimate' }).click();
    const dialog = page.locator('dialog[open]');
    await dialog.getByLabel('Points that members redeem (%)').fill('97');
    await dialog.getByLabel('Are worth').fill('5.00');
    await dialog.getByLabel('Valid from').fill('2026-01-01');
    await dialog.getByLabel('Author').fill('Ingrid Dahl, finance');
    await dialog.locator('button.main').click();
    await page.getByText('5.00 for 1,000 points').waitFor();
    await page.getByRole('button', { name: 'Close a period' }).click();
    await dialog.locator('button.main').click();
    await page.getByRole('link', { name: 'Statement (CSV)' }).waitFor();
    const drawer = page.locator('.drawer');
    await drawer.getByRole('rowheader', { name: 'Closing' }).first().waitFor();
    await drawer.getByRole('heading', { name: 'Liability' }).waitFor();
    const href = await drawer.getByRole('link', { name: 'Journal (CSV)' }).getAttribute('href');
    expect((await fetch(href ?? '')).status).toBe(200);
    await show('/loyalty/camp_crew');
    await page.getByText('Last close').waitFor();
  });

  task('deletes the last close, and may undo it before it happens', async ({ page, show }) => {
    await show('/closes');
    await page.locator('a.row').first().click();
    await page.locator('.drawer').getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.locator('.toast').waitFor({ state: 'detached' });
    expect(await page.locator('a.row').count()).toBe(1);
    await page.locator('.drawer').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('No closes yet').waitFor();
  });

  task('closes a period by days of the project, also in a browser of another zone', async ({ page, show, address }) => {
    const project = `${address}/management/v1/projects/proj_demo`;
    const setZone = (timezone: string) =>
      fetch(project, {
        method: 'PUT',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ timezone }),
      });
    expect((await setZone('Pacific/Auckland')).status).toBe(200);
    await show('/closes');
    await page.getByRole('button', { name: 'Close a period' }).click();
    const dialog = page.locator('dialog[open]');
    await dialog.getByText('The day begins at midnight in Pacific/Auckland.').waitFor();
    await dialog.getByLabel('Up to and with').selectOption({ label: 'Another day' });
    await dialog.getByLabel('End (excluded)').fill('2026-07-01');
    await dialog.locator('button.main').click();
    await page.locator('.drawer h1').waitFor();
    const headers = { 'X-App-Id': 'demo-app', 'X-App-Token': 'demo-token-for-local-use-only' };
    const { closes } = (await (await fetch(`${address}/v1/reports/closes`, { headers })).json()) as {
      closes: { at: string }[];
    };
    expect(closes.map(({ at }) => at)).toEqual(['2026-06-30T12:00:00.000Z']);
    await setZone('UTC');
  });

  task('sees points to expire by month, and the discount of each day', async ({ page, show }) => {
    await show('/loyalty/camp_crew');
    await page
      .getByText(/Points that never expire|No points expire/)
      .first()
      .waitFor();
    await show('?period=day');
    const table = page.getByRole('table', { name: 'Discount by hour' });
    const sums = await table.locator('td').allTextContents();
    expect(sums.filter((text) => text === '30.00')).toEqual(['30.00']);
  });

  task('sees the discount of an order on its screen as in the list', async ({ page, show, address }) => {
    const headers = { 'X-App-Id': 'demo-app', 'X-App-Token': 'demo-token-for-local-use-only' };
    const { orders } = (await (await fetch(`${address}/v1/orders?limit=100`, { headers })).json()) as {
      orders: Discounted[];
    };
    // Payments by cards are discounts of the list, and payments on the screen.
    const found = orders.find((one) => one.total_discount_amount && one.total_discount_amount === ofLines(one));
    await show(`/orders?open=${found?.id}`);
    const off = ((found?.total_discount_amount ?? 0) / 100).toFixed(2);
    await page.locator('.drawer .figures').getByText(`−${off}`, { exact: true }).first().waitFor();
  });
});
