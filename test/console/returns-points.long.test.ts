import { describe, expect } from 'vitest';
import { demoApi } from '../support/console-api.ts';
import { consoleTasks } from '../support/console-tasks.ts';
import { cellsOf, dialogOf, rowOf, voucher, write } from '../support/order-screen.ts';

/** Returns an order that points paid, and lets canceled orders carry their effects. */

const task = consoleTasks({ env: { DEMO_LIFE: 'off' } });

describe('an operator of a shop', () => {
  task('gives points back that paid, and names earned points that are spent', async (opened) => {
    const { page, show, address } = opened;
    const api = demoApi(address);
    const paying = { ...voucher('CREW-INGRID'), reward: { id: 'rew_coins', points: 500 } };
    const items = [{ source_id: 'machine', quantity: 1, price: 1_000_000 }];
    const order = { source_id: 'coins-1', status: 'PAID', items };
    const customer = { id: 'cust_ingrid' };
    const sold = await api.post('/v1/redemptions', { redeemables: [paying], order, customer });
    const worth = sold.redemptions[0].order.total_applied_discount_amount;
    expect(worth).toBeGreaterThan(0);
    const { id } = await api.get('/v1/orders/coins-1');
    // Ten points are left, so most of those that the order earned are missing.
    const { balance } = (await api.get('/v1/vouchers/CREW-INGRID')).loyalty_card;
    const spent = 10 - balance;
    await api.post('/v1/vouchers/CREW-INGRID/balance', { amount: spent, source_id: 'spend-1' });
    await show(`/orders/${id}`);
    expect((await cellsOf(page, 'Payments', 'CREW-INGRID')).map((text) => text.split('\n')[0])).toEqual([
      'CREW-INGRID',
      write(worth),
      '–',
    ]);
    expect(await rowOf(page, 'Payments', 'CREW-INGRID').innerText()).toContain('500 points');
    expect(await cellsOf(page, 'Payments', 'Money')).toEqual(['Money', write(1_000_000 - worth), '–']);
    const lines = await cellsOf(page, 'Lines', 'machine');
    expect(lines.slice(1)).toEqual(['10,000.00', '–', '–', '10,000.00']);
    const all = [{ source_id: 'machine', quantity: 1 }];
    const dry = await api.post(`/v1/orders/${id}/returns`, { items: all, dry_run: true });
    const [{ taken_from: from, missing }] = dry.earned_points;
    expect(missing).toBeGreaterThan(0);
    await page.getByRole('button', { name: 'Return', exact: true }).click();
    const dialog = dialogOf(page);
    await dialog.getByRole('button', { name: 'All that is left' }).click();
    await dialog.getByText(`gives up ${from.pending + from.balance} earned points.`).waitFor();
    await dialog.getByText(`${missing} more are missing, because they are spent.`).waitFor();
    expect(dry.refund).toMatchObject({
      money: 1_000_000 - worth,
      points: [{ code: 'CREW-INGRID', points: 500, worth }],
    });
    await dialog.getByText('500 points back on the card').waitFor();
    await dialog.getByRole('button', { name: 'Return 10,000.00' }).click();
    await page.getByRole('heading', { name: 'Return of coins-1' }).waitFor();
    await show(`/orders/${id}`);
    expect((await cellsOf(page, 'Payments', 'CREW-INGRID')).slice(1)).toEqual([write(worth), write(worth)]);
    expect(await rowOf(page, 'Payments', 'CREW-INGRID').innerText()).toContain('500 points, 500 of them given back');
    expect((await cellsOf(page, 'Payments', 'Money')).at(-1)).toBe(write(1_000_000 - worth));
    const left = (await api.get('/v1/vouchers/CREW-INGRID')).loyalty_card.balance;
    expect(left).toBe(10 + 500 - from.balance);
  });

  task('switches on and off that canceled orders return what is left', async ({ page, show, address }) => {
    const carries = async () => {
      const reply = await fetch(`${address}/management/v1/projects/proj_demo`);
      return ((await reply.json()) as { orders_carry_effects: boolean }).orders_carry_effects;
    };
    const before = await carries();
    for (const isOn of [!before, before]) {
      await show('/settings?tab=project');
      await page.getByLabel('A canceled order returns all that is left').selectOption({ label: isOn ? 'Yes' : 'No' });
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('Saved.').waitFor();
      expect(await carries()).toBe(isOn);
    }
  });
});
