import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { type RunningServer, startServer } from '../../infra/local/server.ts';
import { testDependencies } from '../support/dependencies.ts';
import { guardedShop } from '../support/guarded-shop.ts';
import { page } from '../support/pages.ts';
import { VoucherifyClientSide } from './case.ts';

/** The unchanged published client for web pages gets an answer to each of its calls. */

let server: RunningServer;

beforeAll(async () => {
  server = await startServer({ dependencies: testDependencies(), port: 0 });
});
// The library reads the environment for a proxy, even for loopback.
beforeEach(() => {
  vi.stubEnv('NO_PROXY', '127.0.0.1');
});
afterAll(() => server.close());

async function pageOf(client: Record<string, boolean> = {}) {
  const shop = await guardedShop(client);
  const { client_application_id: clientApplicationId, client_token: clientSecretKey } = shop.key;
  const sdk = VoucherifyClientSide({ apiUrl: server.baseUrl, clientApplicationId, clientSecretKey, origin: page });
  sdk.setIdentity('ada');
  return { ...shop, sdk };
}

const items = [{ product_id: 'prod_mug', quantity: 2 }];

describe('the client for web pages', () => {
  test('validates a code, promotions, and several vouchers at once', async () => {
    const { sdk } = await pageOf();
    expect(await sdk.validate({ code: 'TEN', items })).toMatchObject({ valid: true, order: { total_amount: 18_000 } });
    expect(await sdk.validate('TEN')).toMatchObject({ valid: true });
    const { promotions } = await sdk.validate({ items });
    expect(promotions).toMatchObject([{ id: 'promo_all', order: { total_amount: 18_000 } }]);
    expect(
      await sdk.validateStackable({ redeemables: [{ object: 'voucher', id: 'TEN' }], order: { items } }),
    ).toMatchObject({ valid: true });
  });

  test("creates a customer, publishes a voucher to the customer, and lists the customer's vouchers", async () => {
    const { sdk } = await pageOf({ customers: true, publication: true, wallet: true });
    expect(await sdk.createCustomer({ source_id: 'eve', name: 'Eve' })).toMatchObject({ source_id: 'eve' });
    const { voucher } = await sdk.publish('Open', { customer: { source_id: 'eve' } });
    expect(voucher?.code).toBe('OPEN-1');
    const { total, vouchers } = await sdk.listVouchers({ customer: 'eve' });
    expect([total, vouchers.map(({ code }) => code)]).toEqual([1, ['OPEN-1']]);
  });

  test('sends an event and redeems a voucher', async () => {
    const { sdk } = await pageOf({ events: true, redemption: true });
    expect(await sdk.track('visit', { source_id: 'ada' }, { amount: 5 })).toMatchObject({ type: 'visit' });
    expect(await sdk.redeem('TEN', { order: { amount: 100 } })).toMatchObject({ result: 'SUCCESS' });
  });
});
