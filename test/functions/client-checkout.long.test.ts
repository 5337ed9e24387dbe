import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { handler as redeemHere } from '../../functions/client/redeem-from-page.ts';
import { type RunningServer, startServer } from '../../infra/local/server.ts';
import { caller } from '../support/call.ts';
import { testDependencies } from '../support/dependencies.ts';
import { customer, leaked, pageShop, ten } from '../support/page-shop.ts';
import { page } from '../support/pages.ts';

const foreign = 'https://elsewhere.example';

describe('a web page', () => {
  test('validates a code and a tier, and gets the discounts', async () => {
    const { validate } = await pageShop();
    const { status, body } = await validate({
      redeemables: [ten, { object: 'promotion_tier', id: 'promo_1' }],
      customer,
      order: { amount: 1000 },
    });
    expect([status, body]).toMatchObject([200, { valid: true, order: { total_amount: 810 } }]);
    expect(JSON.stringify(body)).not.toMatch(leaked);
  });

  test("does not learn a customer's values from a rule", async () => {
    const { validate, redeem } = await pageShop();
    const body = {
      redeemables: [{ object: 'voucher', id: 'PICKY' }],
      customer,
      order: { amount: 1000 },
      options: { expand: ['validation_rules', 'order'] },
    };
    const validated = await validate(body);
    expect(validated.body.redeemables[0].result.error.key).toBe('customer_rules_violated');
    for (const reply of [validated, await redeem(body)]) {
      expect(JSON.stringify(reply.body)).not.toMatch(/secret|"validation_rules"/);
    }
  });

  test('redeems several vouchers, on an order that servers then see', async () => {
    const { redeem, order, usesOf } = await pageShop();
    const { status, body } = await redeem({
      redeemables: [ten, { object: 'promotion_tier', id: 'promo_1' }],
      customer,
      order: { source_id: 'o-1', amount: 1000 },
    });
    expect([status, body]).toMatchObject([
      200,
      {
        order: { total_amount: 810 },
        redemptions: [
          { result: 'SUCCESS', customer: { id: 'cust_1', name: null, email: null }, voucher: { code: 'TEN' } },
          { result: 'SUCCESS', promotion_tier: { name: 'Five off' } },
        ],
        parent_redemption: { customer: { id: 'cust_1' } },
      },
    ]);
    expect(JSON.stringify(body)).not.toMatch(leaked);
    expect((await order('o-1')).body).toMatchObject({ total_amount: 810, customer_id: 'cust_1' });
    expect(await usesOf('TEN')).toBe(1);
  });

  test("sees the metadata that the project lists, vouchers' metadata on request, and its own", async () => {
    const asked = { redeemables: [ten], customer, metadata: { till: 'T1' }, options: { expand: ['redeemable'] } };
    const shownTo = async ({ redeem, validate }: Awaited<ReturnType<typeof pageShop>>) => {
      const validated = await validate({ ...asked, order: { amount: 1000 } });
      const { body } = await redeem(asked);
      const [redemption] = body.redemptions;
      expect(redemption.metadata).toEqual({ till: 'T1' });
      expect(redemption.customer).not.toHaveProperty('metadata');
      return [redemption.voucher.metadata, validated.body.redeemables[0].metadata];
    };
    expect(await shownTo(await pageShop())).toEqual([{}, {}]);
    const lists = { client_metadata: ['colour', 'none'] };
    expect(await shownTo(await pageShop({ redemption: true }, [page], lists))).toEqual([
      { colour: 'blue' },
      { colour: 'blue' },
    ]);
  });

  test('redeems one voucher by its code', async () => {
    const { redeemVoucher, usesOf } = await pageShop();
    const { status, body } = await redeemVoucher('code=GIFT&tracking_id=visit-7', { customer, order: { amount: 300 } });
    expect([status, body]).toMatchObject([
      200,
      { gift: { amount: 300 }, voucher: { gift: { balance: 100 }, metadata: {} }, tracking_id: expect.any(String) },
    ]);
    expect(JSON.stringify(body)).not.toMatch(leaked);
    expect(await usesOf('GIFT')).toBe(1);
    expect((await redeemVoucher('', { order: { amount: 1 } })).body).toMatchObject({ code: 400 });
    expect((await redeemVoucher('code=NOBODYS', {})).status).toBe(404);
  });

  test("buys a reward with points, without learning the member's data or the remaining points", async () => {
    const { redeemVoucher } = await pageShop();
    const { status, body } = await redeemVoucher('code=CARD', { reward: { id: 'rew_1' } });
    expect([status, body]).toMatchObject([200, { reward: { id: 'rew_1', name: 'A mug', assignment_id: 'rewa_1' } }]);
    expect(JSON.stringify(body)).not.toMatch(leaked);
  });
});

describe('a web page cannot name a stored order:', () => {
  const stored = { source_id: 'o-9', amount: 1000, items: [{ product_id: 'prod_mug', quantity: 1, amount: 1000 }] };

  test('a source id is ignored in a validation', async () => {
    const { validate, store } = await pageShop();
    await store(stored);
    const of = async (source_id: string) => {
      const { body } = await validate({ redeemables: [ten], order: { source_id, amount: 500 } });
      return { ...body, id: '' };
    };
    expect(await of('o-9')).toEqual(await of('o-none'));
    expect((await of('o-9')).order).toMatchObject({ amount: 500, items: [] });
  });

  test('an id belongs to no order and a source id is taken, and the order is neither shown, changed nor redeemed on', async () => {
    const { validate, redeem, redeemVoucher, store, order, usesOf } = await pageShop();
    await store(stored);
    const { body: before } = await order('o-9');
    for (const id of [before.id, 'ord_none']) {
      const named = { redeemables: [ten], order: { id, amount: 500 } };
      for (const reply of [await validate(named), await redeem(named)]) {
        expect(reply.body).toMatchObject({ code: 404, resource_id: id, resource_type: 'order' });
      }
    }
    const again = { order: { source_id: 'o-9', amount: 500 } };
    const both = [await redeem({ redeemables: [ten], ...again }), await redeemVoucher('code=TEN', again)];
    for (const { body } of both) {
      expect(body).toMatchObject({ code: 400, key: 'invalid_order' });
      expect(JSON.stringify(body)).not.toMatch(/Mug|prod_mug|1000/);
    }
    expect((await order('o-9')).body).toEqual(before);
    expect(await usesOf('TEN')).toBe(0);
  });

  test('one of twenty simultaneous requests with one source id creates the order', async () => {
    const { token, usesOf } = await pageShop();
    const replies = await Promise.all(
      Array.from({ length: 20 }, () =>
        caller(redeemHere)({ headers: token, body: { redeemables: [ten], order: { source_id: 'o-1', amount: 1000 } } }),
      ),
    );
    const taken = replies.filter(({ status }) => status === 200);
    expect(taken).toHaveLength(1);
    for (const { body } of replies.filter(({ status }) => status !== 200)) {
      expect(['invalid_order', 'multiple_requests']).toContain(body.key);
    }
    expect(await usesOf('TEN')).toBe(1);
  });
});

describe('redemption from web pages is off', () => {
  test.each([
    ['in a project without the setting', null],
    ['in a project with other settings', { events: true }],
  ])('%s', async (_, client) => {
    const { redeem, redeemVoucher, validate, usesOf, token } = await pageShop(client);
    const body = { redeemables: [ten], order: { amount: 1000 } };
    for (const reply of [
      await redeem(body),
      await redeemVoucher('code=TEN', {}),
      await caller(redeemHere)({ headers: token, body }),
    ]) {
      expect(reply.body).toMatchObject({ code: 403, key: 'client_side_disabled' });
      expect(reply.body.details).toContain('client.redemption');
    }
    expect((await validate(body)).status).toBe(200);
    expect(await usesOf('TEN')).toBe(0);
  });
});

describe('between origins, over HTTP,', () => {
  let server: RunningServer;
  beforeAll(async () => {
    server = await startServer({ dependencies: testDependencies(), port: 0 });
  });
  afterAll(() => server.close());

  test.each([
    ['/client/v1/validations', { redeemables: [ten], order: { amount: 1000 } }],
    ['/client/v1/redemptions', { redeemables: [ten], order: { amount: 1000 } }],
    ['/client/v1/redeem?code=TEN', { order: { amount: 1000 } }],
  ])('a web page of the key is answered by %s, and a foreign one is refused', async (path, body) => {
    const { headersFrom, usesOf } = await pageShop();
    const ask = (origin: string) =>
      fetch(server.baseUrl + path, {
        method: 'POST',
        headers: { ...headersFrom(origin), 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      });
    const other = await ask(foreign);
    expect([other.status, other.headers.get('access-control-allow-origin')]).toEqual([401, null]);
    expect(await usesOf('TEN')).toBe(0);
    const own = await ask(page);
    expect([own.status, own.headers.get('access-control-allow-origin')]).toEqual([200, page]);
  });
});
