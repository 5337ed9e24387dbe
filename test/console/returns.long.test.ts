import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { findFaults } from '../support/console.ts';
import { demoApi } from '../support/console-api.ts';
import { consoleTasks, type TaskConsole } from '../support/console-tasks.ts';
import { cellsOf, dialogOf, panel, rowOf, voucher, write } from '../support/order-screen.ts';

/** Returns units of orders in a browser, as an operator does, and compares each figure with the API. */

const task = consoleTasks({ env: { DEMO_LIFE: 'off' } });

const open = { redemption: { quantity: null } };
const coupon = { type: 'DISCOUNT_VOUCHER', discount: { type: 'AMOUNT', amount_off: 300 }, ...open };
const giftCard = (amount: number) => ({ type: 'GIFT_VOUCHER', gift: { amount, balance: amount }, ...open });

/** Sells two bags and filter papers to Ingrid. She pays by a coupon, a gift card and money. */
async function sell({ address }: TaskConsole, name: string): Promise<void> {
  const api = demoApi(address);
  await api.post(`/v1/vouchers/OFF-${name}`, coupon);
  await api.post(`/v1/vouchers/CARD-${name}`, giftCard(5_000));
  const items = [
    { product_id: 'prod_beans', quantity: 2 },
    { product_id: 'prod_filter', quantity: 1 },
  ];
  const sold = await api.post('/v1/redemptions', {
    redeemables: [voucher(`OFF-${name}`), voucher(`CARD-${name}`)],
    order: { source_id: name, status: 'PAID', items },
    customer: { id: 'cust_ingrid' },
  });
  expect(sold.order.source_id).toBe(name);
}

const refundOf = (page: Page) => dialogOf(page).locator('.preview table.sum').innerText();

describe('an operator of a shop', () => {
  task('reads an order as one story: lines with shares, payments, redemptions and earned points', async (opened) => {
    const { page, show, address } = opened;
    const api = demoApi(address);
    await sell(opened, 'shop-1');
    const order = await api.get('/v1/orders/shop-1');
    const all = order.items.map(({ id, quantity }: { id: string; quantity: number }) => ({ id, quantity }));
    const left = await api.post('/v1/orders/shop-1/returns', { items: all, dry_run: true });
    await show(`/orders/${order.id}`);
    for (const [index, name] of ['House beans', 'Filter papers'].entries()) {
      const { amount, order_discount_share: share } = order.items[index];
      const { net } = left.items[index];
      expect((await cellsOf(page, 'Lines', name)).slice(1)).toEqual([
        write(amount),
        '–',
        `−${write(share)}`,
        write(net),
      ]);
    }
    expect(await cellsOf(page, 'Payments', 'CARD-shop-1')).toEqual(['CARD-shop-1', '50.00', '–']);
    expect(await cellsOf(page, 'Payments', 'Money')).toEqual(['Money', write(order.total_amount), '–']);
    expect(await cellsOf(page, 'Redemptions', 'OFF-shop-1')).toEqual(['OFF-shop-1', '3.00 off', 'Succeeded']);
    const { points } = left.earned_points[0];
    await rowOf(page, 'Earned points', 'CREW-INGRID').waitFor();
    expect(await cellsOf(page, 'Earned points', 'CREW-INGRID')).toEqual(['CREW-INGRID', String(points), '–']);
    expect((await api.get('/v1/orders/shop-1/returns')).total).toBe(0);
  });

  task('sees what goes back where before anything is written, and does it by another choice', async (opened) => {
    const { page, show, address } = opened;
    const api = demoApi(address);
    const items = [{ product_id: 'prod_beans', quantity: 1 }];
    const ask = (options: object) => api.post('/v1/orders/shop-1/returns', { items, options, dry_run: true });
    const [plain, first] = [await ask({}), await ask({ refund_to: 'CREDITS_FIRST' })];
    await show(`/orders/${(await api.get('/v1/orders/shop-1')).id}`);
    await page.getByRole('button', { name: 'Return', exact: true }).click();
    const dialog = dialogOf(page);
    await dialog.getByText('Choose what comes back.').waitFor();
    await dialog.getByLabel('Units of House beans to return').fill('1');
    await dialog.getByLabel('Units of House beans to return').press('Tab');
    await dialog.getByRole('button', { name: `Return ${write(plain.refund.total)}` }).waitFor();
    for (const part of [plain.refund.money, plain.refund.credits[0].amount, plain.refund.total])
      expect(await refundOf(page)).toContain(write(part));
    const { points } = plain.earned_points[0];
    await dialog.getByText(`gives up ${points} earned points.`).waitFor();
    await dialog.getByLabel('The refund goes').selectOption({ label: 'to gift cards first, then points, then money' });
    await dialog.getByText(write(first.refund.credits[0].amount)).first().waitFor();
    expect(await refundOf(page)).toContain(write(first.refund.money));
    expect(first.refund.credits[0].amount).toBe(5_000);
    expect(await findFaults(page)).toEqual([]);
    expect((await api.get('/v1/orders/shop-1/returns')).total).toBe(0);
    await dialog.getByRole('button', { name: `Return ${write(first.refund.total)}` }).click();
    await page.getByRole('heading', { name: 'Return of shop-1' }).waitFor();
    const { returns, total } = await api.get('/v1/orders/shop-1/returns');
    expect([total, returns[0].refund]).toEqual([1, first.refund]);
    expect(page.url()).toContain(returns[0].id);
    expect(await panel(page, 'Where refunds are sent').innerText()).toContain(write(first.refund.money));
    expect((await cellsOf(page, 'Returned units', 'House beans')).at(-1)).toBe(write(returns[0].items[0].net));
    expect((await api.get('/v1/vouchers/CARD-shop-1')).gift.balance).toBe(5_000);
    expect(await findFaults(page)).toEqual([]);
  });

  task('returns units once, although the reply is lost', async (opened) => {
    const { page, show, address } = opened;
    const api = demoApi(address);
    await show(`/orders/${(await api.get('/v1/orders/shop-1')).id}`);
    let lost = 0;
    await page.route('**/returns', async (route) => {
      const isDone = route.request().postDataJSON()?.dry_run === undefined && route.request().method() === 'POST';
      if (!isDone || lost > 0) return route.continue();
      lost += 1;
      await route.fetch();
      return route.abort();
    });
    await page.getByRole('button', { name: 'Return', exact: true }).click();
    const dialog = dialogOf(page);
    await dialog.getByLabel('Units of Filter papers to return').fill('1');
    await dialog.getByLabel('Units of Filter papers to return').press('Tab');
    await dialog.getByRole('button', { name: /^Return \d/ }).click();
    await page.getByRole('heading', { name: 'Return of shop-1' }).waitFor();
    await page.unroute('**/returns');
    const { returns, total } = await api.get('/v1/orders/shop-1/returns');
    expect([lost, total]).toEqual([1, 2]);
    expect(returns[0].source_id).toMatch(/^console-/);
    expect(page.url()).toContain(returns[0].id);
  });

  task('returns all that is left, and the order says what it paid and gave back', async (opened) => {
    const { page, show, address } = opened;
    const api = demoApi(address);
    const { id } = await api.get('/v1/orders/shop-1');
    await show(`/orders?open=${id}`);
    await page.getByRole('button', { name: 'Return', exact: true }).click();
    const dialog = dialogOf(page);
    await dialog.getByRole('button', { name: 'All that is left' }).click();
    await dialog.getByText('Nothing of the order is kept, so it becomes canceled.').waitFor();
    await dialog.getByText('is rolled back, and can be used again.').first().waitFor();
    await dialog.getByRole('button', { name: /^Return \d/ }).click();
    await page.getByRole('heading', { name: 'Return of shop-1' }).waitFor();
    await show(`/orders/${id}`);
    const order = await api.get('/v1/orders/shop-1');
    // 227.00 less the coupon of 3.00: 50.00 by the card, and the rest in money. Everything was refunded.
    expect(order).toMatchObject({ status: 'CANCELED', refunded_amount: 22_400 });
    expect(await cellsOf(page, 'Payments', 'CARD-shop-1')).toEqual(['CARD-shop-1', '50.00', '50.00']);
    expect(await cellsOf(page, 'Payments', 'Money')).toEqual(['Money', '174.00', '174.00']);
    expect(await rowOf(page, 'Lines', 'House beans').innerText()).toContain('2 of 2 returned');
    expect(await panel(page, 'Returns').locator('tbody tr').count()).toBe(3);
    const [, earned, taken] = await cellsOf(page, 'Earned points', 'CREW-INGRID');
    expect(taken).toBe(earned);
    expect(await page.getByRole('button', { name: 'Return', exact: true }).count()).toBe(0);
  });

  task(
    'returns an amount of an order without lines, to card and money by their parts',
    async ({ page, show, address }) => {
      const api = demoApi(address);
      await api.post('/v1/vouchers/CARD-WHOLE', giftCard(7_000));
      const order = { source_id: 'whole-1', status: 'PAID', amount: 10_000 };
      await api.post('/v1/redemptions', { redeemables: [voucher('CARD-WHOLE')], order });
      await show(`/orders/${(await api.get('/v1/orders/whole-1')).id}`);
      await page.getByRole('button', { name: 'Return', exact: true }).click();
      const dialog = dialogOf(page);
      await dialog.getByLabel('Amount to return').fill('200');
      await dialog.getByLabel('Amount to return').press('Tab');
      await dialog.getByText('is more than is left of the order').waitFor();
      await dialog.getByLabel('Amount to return').fill('50');
      await dialog.getByLabel('Amount to return').press('Tab');
      await dialog.getByRole('button', { name: 'Return 50.00' }).click();
      await page.getByRole('heading', { name: 'Return of whole-1' }).waitFor();
      const text = await panel(page, 'Where refunds are sent').innerText();
      for (const part of ['15.00', 'CARD-WHOLE', '35.00', '50.00']) expect(text).toContain(part);
      expect((await api.get('/v1/vouchers/CARD-WHOLE')).gift.balance).toBe(3_500);
    },
  );

  task('says what the kept lines lose if they are judged again', async ({ page, show, address }) => {
    const api = demoApi(address);
    const rules = { 1: { name: 'order.amount', conditions: { $more_than_or_equal: [30_000] } }, logic: '1' };
    const rule = await api.post('/v1/validation-rules', { name: 'From 300', context_type: 'global', rules });
    const percent = { type: 'PERCENT', percent_off: 10 };
    const { id: codeId } = await api.post('/v1/vouchers/FROM-300', { ...coupon, discount: percent });
    const related = { related_object_type: 'voucher', related_object_id: codeId };
    await api.post(`/v1/validation-rules/${rule.id}/assignments`, related);
    const order = { source_id: 'six-1', status: 'PAID', items: [{ source_id: 'bag', quantity: 6, price: 6_000 }] };
    await api.post('/v1/redemptions', { redeemables: [voucher('FROM-300')], order });
    await show(`/orders/${(await api.get('/v1/orders/six-1')).id}`);
    await page.getByRole('button', { name: 'Return', exact: true }).click();
    const dialog = dialogOf(page);
    await dialog.getByLabel('Units of bag to return').fill('5');
    await dialog.getByLabel('Units of bag to return').press('Tab');
    await dialog.getByRole('button', { name: 'Return 270.00' }).waitFor();
    const again = 'are judged again, as if only they had been bought';
    await dialog.getByLabel('Lines that the customer keeps').selectOption({ label: again });
    await dialog.getByText('The kept lines lose a discount of 6.00.').waitFor();
    await dialog.getByRole('button', { name: 'Return 264.00' }).click();
    await page.getByRole('heading', { name: 'Return of six-1' }).waitFor();
    const { returns } = await api.get('/v1/orders/six-1/returns');
    expect(returns[0]).toMatchObject({ reclaimed: 600, refund: { total: 26_400, money: 26_400 } });
    expect(await panel(page, 'Where refunds are sent').innerText()).toContain('a discount of 6.00');
  });

  task('finds a return in the timeline of the customer', async ({ page, show, address }) => {
    const api = demoApi(address);
    const { returns } = await api.get('/v1/orders/shop-1/returns');
    await show('/customers/cust_ingrid');
    const links = page.locator('.timeline').getByRole('link', { name: 'of shop-1 returned' });
    expect(await links.count()).toBe(3);
    await links.first().click();
    await page.getByRole('heading', { name: 'Return of shop-1' }).waitFor();
    expect(page.url()).toContain(returns[0].id);
  });
});
