import { describe, expect } from 'vitest';
import { demoApi } from '../support/console-api.ts';
import { consoleTasks } from '../support/console-tasks.ts';

/** Looks at codes as an operator does, and gives them to people. */

const task = consoleTasks({ env: { DEMO_LIFE: 'off' } });
const discount = { type: 'AMOUNT', amount_off: 300 };

describe('a look at a code', () => {
  task('counts as no validation of its campaign, on its page and in the simulator', async ({ page, show, address }) => {
    const api = demoApi(address);
    await show('/vouchers/TIDE-ASLEEP');
    await page.locator('.verdict.no').waitFor();
    await show('/simulator?items=prod_beans*1&codes=TIDE-ASLEEP,TIDE-HELLO');
    await page.getByText('It is refused.').waitFor();
    const { campaign_id: campaign } = await api.get('/v1/vouchers/TIDE-ASLEEP');
    await api.post('/v1/validations', {
      redeemables: [{ object: 'voucher', id: 'TIDE-ASLEEP' }],
      order: { amount: 1 },
    });
    // The counter lags, and this validation comes after all looks.
    const summary = () => api.get(`/v1/campaigns/${campaign}/summary`);
    const { validations, validations_failed: failed } = await api.until(summary, (one) => one.validations > 0);
    expect([validations, failed]).toEqual([1, 1]);
  });

  task('calls a healthy code with a minimum usable from there, in amber', async ({ page, show, address }) => {
    const api = demoApi(address);
    await api.post('/v1/vouchers/FROM-50', { type: 'DISCOUNT_VOUCHER', discount });
    const rules = { '1': { name: 'order.amount', conditions: { $more_than_or_equal: [5_000] } }, logic: '1' };
    const rule = await api.post('/v1/validation-rules', { name: 'From 50', rules });
    const about = { related_object_id: 'FROM-50', related_object_type: 'voucher' };
    await api.post(`/v1/validation-rules/${rule.id}/assignments`, about);
    await show('/vouchers/FROM-50');
    await page.locator('.verdict.warm').getByText('Usable from 50.00.').waitFor();
  });

  task('shows what a gift card has left, and never wants a cart for it', async ({ page, show, address }) => {
    const gift = { amount: 5_000, balance: 1_250 };
    await demoApi(address).post('/v1/vouchers/PURSE', { type: 'GIFT_VOUCHER', gift });
    await show('/vouchers/PURSE');
    const { gift: stored } = await demoApi(address).get('/v1/vouchers/PURSE');
    const left = (stored.balance / 100).toFixed(2);
    await page.locator('.verdict.yes').getByText(`It can be used: ${left} left.`).waitFor();
  });
});

describe('a person', () => {
  task('is found by a part of a name, an e-mail or an id, and named before a code is given', async (open) => {
    const { page, show, address } = open;
    const api = demoApi(address);
    const ingrid = await api.get('/v1/customers/cust_ingrid');
    for (const [place, typed] of [ingrid.name.slice(0, 4), ingrid.email, 'cust_ingrid', ingrid.source_id].entries()) {
      await api.post(`/v1/vouchers/GIVEN-${place}`, { type: 'DISCOUNT_VOUCHER', discount });
      await show(`/vouchers/GIVEN-${place}`);
      await page.getByRole('button', { name: 'Publish' }).click();
      const dialog = page.locator('dialog[open]');
      await dialog.getByLabel('Customer').fill(typed);
      await dialog.getByRole('button', { name: ingrid.name }).click();
      await dialog.getByRole('button', { name: `Publish GIVEN-${place} to ${ingrid.name}` }).click();
      await page.getByText(`Published to ${ingrid.name}.`).waitFor();
      expect((await api.get(`/v1/vouchers/GIVEN-${place}`)).holder_id).toBe('cust_ingrid');
      await page.locator('.facts').getByRole('link', { name: ingrid.name }).waitFor();
    }
  });

  task('who does not exist gets no code without a question', async ({ page, show, address }) => {
    const api = demoApi(address);
    const before = (await api.get('/v1/customers?limit=1')).total;
    await api.post('/v1/vouchers/ASKED', { type: 'DISCOUNT_VOUCHER', discount });
    await show('/vouchers/ASKED');
    await page.getByRole('button', { name: 'Publish' }).click();
    const dialog = page.locator('dialog[open]');
    await dialog.getByLabel('Customer').fill('ingird');
    await dialog.getByLabel('Customer').press('Enter');
    await dialog.getByText('No customer has the name, the e-mail or the id ingird.').waitFor();
    expect(await dialog.getByRole('button', { name: 'Publish', exact: true }).isDisabled()).toBe(true);
    expect((await api.get('/v1/customers?limit=1')).total).toBe(before);
    await dialog.getByRole('button', { name: 'Make a new customer with the source id ingird' }).click();
    await dialog.getByRole('button', { name: 'Publish ASKED to ingird' }).click();
    await page.getByText('Published to ingird.').waitFor();
    expect((await api.get('/v1/customers/ingird')).source_id).toBe('ingird');
  });

  task('has a name on every screen that has an id', async ({ page, show, address }) => {
    const { name } = await demoApi(address).get('/v1/customers/cust_ingrid');
    const order = { amount: 500 };
    await demoApi(address).post('/v1/orders', { ...order, customer: { id: 'cust_ingrid' } });
    for (const path of ['/orders', '/vouchers/CREW-INGRID', '/loyalty/camp_crew']) {
      await show(path);
      await page.locator('main').getByRole('link', { name }).first().waitFor();
      expect([path, (await page.locator('main').innerText()).match(/cust_\w+/g)]).toEqual([path, null]);
    }
  });

  task('keeps a lock of the simulator only until it is undone', async ({ page, show, address }) => {
    const api = demoApi(address);
    await api.post('/v1/vouchers/LOCKED', { type: 'DISCOUNT_VOUCHER', discount, redemption: { quantity: 1 } });
    await show('/simulator?items=prod_beans*1&codes=LOCKED');
    await page.getByRole('button', { name: 'Lock for 10 minutes' }).click();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Undone.').waitFor();
    const body = {
      redeemables: [{ object: 'voucher', id: 'LOCKED' }],
      order: { items: [{ product_id: 'prod_beans' }] },
    };
    expect((await api.post('/v1/validations', body)).valid).toBe(true);
  });
});

describe('Ctrl-K', () => {
  task('finds codes in any case, people, campaigns, orders and products, with their kind and state', async (open) => {
    const { page, show, address } = open;
    const api = demoApi(address);
    const ingrid = await api.get('/v1/customers/cust_ingrid');
    await api.post('/v1/orders', { source_id: 'order-4711', amount: 1_250, status: 'PAID' });
    await show('');
    for (const [typed, label, hint] of [
      ['tide-asleep', 'TIDE-ASLEEP', /^Coupon · .*Off$/],
      [ingrid.email, ingrid.name, /^Customer/],
      ['harbour', 'Harbour Crew', /^Campaign · Loyalty programme/],
      ['order-4711', 'order-4711', 'Order · Paid · 12.50'],
      ['house b', 'House beans', 'Product · 89.00'],
    ] as const) {
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox').fill(typed);
      const option = page.getByRole('option').filter({ has: page.getByText(label, { exact: true }) });
      await option.getByText(hint).waitFor();
      await page.keyboard.press('Escape');
    }
  });

  task(
    'leads to an action on what it found, and the first screen to why a code was refused',
    async ({ page, show }) => {
      await show('');
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox').fill('tide-asleep');
      await page.getByRole('option', { name: 'Try a cart with TIDE-ASLEEP' }).click();
      await page.getByText('It is refused.').waitFor();
      await show('');
      await page.getByLabel('Code', { exact: true }).fill('TIDE-ASLEEP');
      await page.getByRole('button', { name: 'Look it up' }).click();
      await page.getByText('It cannot be used now.').waitFor();
      expect(await page.locator('.verdict code').innerText()).toBe('voucher_disabled');
    },
  );
});
