import { describe, expect, test } from 'vitest';
import { handler as createCampaign } from '../../functions/campaigns/create-campaign.ts';
import { handler } from '../../functions/client/qualify-from-page.ts';
import { caller } from '../support/call.ts';
import { customer, leaked, pageShop } from '../support/page-shop.ts';

const order = { amount: 1000 };
const everything = { expand: ['category', 'validation_rules'], limit: 50 };

async function asking(client: object | null) {
  const { headers, token, store, server } = await pageShop(client);
  const ask = async (body: object, credentials: Record<string, string> = headers) => {
    const { status, body: said } = await caller(handler)({ headers: credentials, body });
    return { status, body: said, ids: said.redeemables?.data.map(({ id }: { id: string }) => id) };
  };
  return { ask, token, store, server };
}

describe('a qualification from a web page', () => {
  test('shows what is open to everybody, without rules and secrets', async () => {
    const { ask, token } = await asking(null);
    for (const credentials of [undefined, token]) {
      const { status, body, ids } = await ask({ customer, order, options: everything }, credentials);
      expect([status, ids]).toEqual([200, ['promo_1']]);
      expect(body.redeemables.data[0]).toMatchObject({ order: { total_amount: 900 }, result: { discount: {} } });
      expect(JSON.stringify(body)).not.toMatch(leaked);
      // Standalone codes, including gift cards, are not for browsers either.
      expect(JSON.stringify(body)).not.toMatch(/validation_rule|CARD|TEN|GIFT/);
    }
  });

  test.each(['ALL', 'AUDIENCE_ONLY', 'PRODUCTS_BY_CUSTOMER', 'PRODUCTS_DISCOUNT_BY_CUSTOMER'])(
    'shows no code of a customer in %s, for any filter',
    async (scenario) => {
      const { ask } = await asking({ redemption: true });
      for (const filters of [undefined, { code: { conditions: { $starts_with: 'C' } } }]) {
        const { status, body } = await ask({ customer, order, scenario, options: { ...everything, filters } });
        expect(status).toBe(200);
        expect(JSON.stringify(body)).not.toContain('CARD');
      }
    },
  );

  test('is refused the wallet of a customer, unless the project allows it', async () => {
    const wallet = { customer, order, scenario: 'CUSTOMER_WALLET' };
    const closed = await asking({ redemption: true });
    const { body: refused } = await closed.ask(wallet);
    expect(refused).toMatchObject({ code: 403, key: 'client_side_disabled' });
    expect(refused.details).toContain('client.wallet');
    const open = await asking({ wallet: true });
    const { ids } = await open.ask({ ...wallet, scenario: 'AUDIENCE_ONLY', options: { limit: 50 } });
    expect(ids).toContain('CARD');
    expect(ids).not.toContain('GIFT');
    expect((await open.ask(wallet)).status).toBe(200);
  });

  test('cannot name a stored order', async () => {
    const { ask, store } = await asking(null);
    const { body: stored } = await store({ source_id: 'o-1', amount: 7000 });
    expect((await ask({ order: { id: stored.id } })).body).toMatchObject({ code: 404, resource_type: 'order' });
    const { body } = await ask({ order: { source_id: 'o-1', amount: 1000 } });
    expect(body.order).toMatchObject({ amount: 1000 });
  });

  test("shows a campaign that gives codes, without operators' notes on it", async () => {
    const { ask, server } = await asking(null);
    const voucher = { type: 'DISCOUNT_VOUCHER', discount: { type: 'PERCENT', percent_off: 5 } };
    const body = { name: 'Codes', campaign_type: 'DISCOUNT_COUPONS', voucher, metadata: { note: 'secret' } };
    const { body: made } = await caller(createCampaign)({ headers: server, body });
    const campaigns = { resource_type: { conditions: { $is: ['campaign'] } } };
    const found = await ask({ order, options: { expand: ['redeemable'], filters: campaigns } });
    expect(found.ids).toEqual([made.id]);
    expect(found.body.redeemables.data).toMatchObject([{ name: 'Codes', metadata: {} }]);
    expect(JSON.stringify(found.body)).not.toContain('secret');
  });
});
