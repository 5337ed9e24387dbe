import { expect, test } from 'vitest';
import { handler as discountCart } from '../../functions/commerce/discount-cart.ts';
import { handler as showLoyalty } from '../../functions/commerce/show-loyalty.ts';
import { handler as createOrder } from '../../functions/orders/create-order.ts';
import { handler as qualify } from '../../functions/qualifications/qualify.ts';
import { handler as redeem } from '../../functions/redemptions/redeem-redeemables.ts';
import { handler as validate } from '../../functions/validations/validate-redeemables.ts';
import { handler as getVoucher } from '../../functions/vouchers/get-voucher.ts';
import { caller } from '../support/call.ts';
import { testDependencies } from '../support/dependencies.ts';
import { manageProjects } from '../support/managed-projects.ts';
import { loadProject } from '../support/project.ts';

const vouchers = [{ code: 'GIFT', type: 'GIFT_VOUCHER', gift: { amount: 5000, balance: 5000 } }];

async function openShop(currency?: string) {
  const { id, credentials: headers } = await loadProject({ vouchers });
  if (currency !== undefined) expect((await manageProjects().update(id, { currency })).status).toBe(200);
  const dependencies = testDependencies();
  return (sent?: string) => {
    const line_items = [{ item: { id: 'tea', price: 1000 }, quantity: 1 }];
    const body = { line_items, discounts: { codes: ['GIFT'] }, ...(sent ? { currency: sent } : {}) };
    return Promise.all(
      [discountCart, showLoyalty].map((handler) => {
        const query = handler === showLoyalty ? 'domain=com.example.shop' : '';
        return caller(handler, dependencies)({ headers, body, query });
      }),
    );
  };
}

test('a cart in dollars is refused where amounts are euros, so that no euro card pays for it', async () => {
  const ask = await openShop('EUR');
  for (const { status, body } of await ask('USD')) {
    expect(status).toBe(400);
    expect(body).toMatchObject({ key: 'invalid_payload', details: expect.stringContaining('currency must be EUR') });
  }
});

test('a cart in the currency of the project, in small letters or without a currency, is answered', async () => {
  const ask = await openShop('EUR');
  for (const sent of ['EUR', 'eur', undefined]) {
    const [discounts, loyalty] = await ask(sent);
    expect([discounts?.status, loyalty?.status]).toEqual([200, 200]);
    expect(discounts?.body.discounts.applied).toMatchObject([{ code: 'GIFT', amount: 1000 }]);
  }
});

test('a project without a currency takes every cart', async () => {
  const ask = await openShop();
  for (const { status } of await ask('USD')) expect(status).toBe(200);
});

test('an order in dollars is refused by each checkout and by the orders, if amounts are euros, and spends nothing', async () => {
  const { id, credentials: headers } = await loadProject({ vouchers });
  expect((await manageProjects().update(id, { currency: 'EUR' })).status).toBe(200);
  const dependencies = testDependencies();
  const order = (currency?: string | null) => ({ amount: 1000, ...(currency === undefined ? {} : { currency }) });
  const ask = (currency?: string | null) => {
    const body = { redeemables: [{ object: 'voucher', id: 'GIFT' }], order: order(currency) };
    return Promise.all([
      caller(validate, dependencies)({ headers, body }),
      caller(redeem, dependencies)({ headers, body }),
      caller(qualify, dependencies)({ headers, body: { order: order(currency) } }),
    ]);
  };
  for (const { status, body } of await ask('USD')) {
    expect([status, body.key]).toEqual([400, 'invalid_payload']);
    expect(body.details).toContain('order.currency must be EUR');
  }
  const stored = await caller(createOrder, dependencies)({ headers, body: order('USD') });
  expect([stored.status, stored.body.details]).toEqual([400, expect.stringContaining('currency must be EUR')]);
  const { body: card } = await caller(getVoucher, dependencies)({ headers, params: { code: 'GIFT' } });
  expect(card.gift.balance).toBe(5000);
  for (const sent of ['EUR', 'eur', null, undefined]) {
    for (const { status } of await ask(sent)) expect(status).toBe(200);
  }
});
