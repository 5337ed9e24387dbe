import { describe, expect, test } from 'vitest';
import { handler as listCustomers } from '../../functions/customers/list-customers.ts';
import { caller } from '../support/call.ts';
import { cart, coupon, giftCard, shop, vouchers } from '../support/redeeming.ts';

describe('a redemption', () => {
  test('uses the code, stores the order as paid and creates the customer', async () => {
    const { redeem, read, order, customer, redemptions } = await shop({ vouchers: [coupon('TEN')] });
    const { status, body } = await redeem({
      redeemables: vouchers('TEN'),
      customer: { source_id: 'ada', name: 'Ada' },
      order: cart(3, { source_id: 'o-1' }),
      metadata: { till: 4 },
    });
    expect([status, body]).toMatchObject([200, {}]);
    expect(body.parent_redemption).toBeUndefined();
    const [redemption] = body.redemptions;
    expect(redemption).toMatchObject({
      result: 'SUCCESS',
      status: 'SUCCEEDED',
      redemption: null,
      metadata: { till: 4 },
      related_object_type: 'voucher',
      voucher: { code: 'TEN', redemption: { quantity: 1, redeemed_quantity: 1 } },
      customer: { source_id: 'ada', name: 'Ada' },
      order: { status: 'PAID', amount: 1500, discount_amount: 150, total_amount: 1350, applied_discount_amount: 150 },
    });
    const stored = await order('o-1');
    expect(stored).toMatchObject({ status: 'PAID', amount: 1500, total_discount_amount: 150, total_amount: 1350 });
    expect(stored.redemptions).toEqual({
      [redemption.id]: {
        date: redemption.date,
        related_object_type: 'voucher',
        related_object_id: redemption.related_object_id,
      },
    });
    expect((await read('TEN')).redemption.redeemed_quantity).toBe(1);
    expect((await customer('ada')).summary).toMatchObject({
      redemptions: { total_redeemed: 1, total_succeeded: 1 },
      orders: { total_amount: 1350, total_count: 1 },
    });
    expect(await redemptions()).toMatchObject([{ id: redemption.id, voucher: { code: 'TEN' } }]);
  });

  test('without customer data belongs to a guest, who is not stored', async () => {
    const { headers, redeem, validate } = await shop({
      customers: [{ id: 'cust_1', source_id: 'ada' }],
      orders: [{ id: 'ord_1', source_id: 'o-1', status: 'CREATED', amount: 500, customer_id: 'cust_1' }],
      vouchers: [coupon('MANY', { redemption: { quantity: null } })],
    });
    const nothing = { source_id: null, metadata: {} };
    for (const customer of [{}, nothing]) {
      const { body } = await redeem({ redeemables: vouchers('MANY'), customer, order: cart(1) });
      const [redemption] = body.redemptions;
      expect([redemption.customer, redemption.customer_id, body.order.customer_id]).toEqual([null, null, null]);
      const inOrder = await redeem({ redeemables: vouchers('MANY'), order: cart(1, { customer }) });
      expect(inOrder.body.order.customer_id).toBeNull();
      expect((await validate({ redeemables: vouchers('MANY'), customer })).body.tracking_id).toBeUndefined();
    }
    const ofOrder = await redeem({ redeemables: vouchers('MANY'), customer: {}, order: { id: 'ord_1' } });
    expect(ofOrder.body.order.customer_id).toBe('cust_1');
    expect((await caller(listCustomers)({ headers })).body.total).toBe(1);
  });

  test('changes nothing if it is refused, and is stored as a failed one', async () => {
    const { redeem, read, order, redemptions } = await shop({ vouchers: [coupon('TEN'), coupon('ALSO')] });
    expect((await redeem({ redeemables: vouchers('TEN'), order: cart(1) })).status).toBe(200);
    const { status, body } = await redeem({
      redeemables: vouchers('ALSO', 'TEN'),
      customer: { source_id: 'ada' },
      order: cart(1, { source_id: 'o-2' }),
    });
    expect([status, body]).toMatchObject([
      400,
      {
        key: 'quantity_exceeded',
        details: 'TEN (used up: redeemed 1 of 1 times)',
        resource_type: 'redemption',
        redeemable_id: 'TEN',
        redeemable_type: 'voucher',
      },
    ]);
    expect((await read('ALSO')).redemption.redeemed_quantity).toBe(0);
    expect((await order('o-2')).key).toBe('not_found');
    const [failed] = await redemptions('result=FAILURE');
    expect(failed).toMatchObject({
      id: body.resource_id,
      failure_code: 'quantity_exceeded',
      status: 'FAILED',
      order: null,
    });
  });

  test('by a customer who would be their own referrer is refused like such an order, and uses nothing', async () => {
    const { redeem, read, order } = await shop({
      vouchers: [coupon('ONE')],
      customers: [
        { id: 'cust_ada', source_id: 'ada' },
        { id: 'cust_eve', source_id: 'eve' },
      ],
      orders: [{ id: 'ord_1', source_id: 'o-1', status: 'CREATED', amount: 500, referrer_id: 'cust_ada' }],
    });
    const bought = { redeemables: vouchers('ONE'), customer: { source_id: 'ada' } };
    for (const body of [
      { ...bought, customer: { source_id: 'new' }, order: cart(1, { referrer: { source_id: 'new' } }) },
      { ...bought, order: cart(1, { referrer: { source_id: 'ada' } }) },
      { ...bought, customer: { id: 'cust_ada' }, order: cart(1, { referrer_id: 'cust_ada' }) },
      { ...bought, order: { id: 'ord_1' } },
    ]) {
      const { status, body: reply } = await redeem(body);
      expect([status, reply]).toMatchObject([
        400,
        { key: 'invalid_payload', details: 'referrer must not be the customer' },
      ]);
    }
    expect((await read('ONE')).redemption.redeemed_quantity).toBe(0);
    expect(await redeem({ ...bought, customer: { source_id: 'eve' }, order: { id: 'ord_1' } })).toMatchObject({
      status: 200,
      body: { order: { customer_id: 'cust_eve', referrer_id: 'cust_ada' } },
    });
    expect(await order('ord_1')).toMatchObject({ referrer: { id: 'cust_ada' } });
  });

  test('of several has a parent, and each shows its own effect on the order', async () => {
    const { redeem, read, ledger, validate } = await shop({ vouchers: [coupon('TEN'), giftCard('GIFT', 400)] });
    const body = { redeemables: vouchers('TEN', 'GIFT'), order: cart(2, { source_id: 'o-3' }) };
    const said = await validate(body);
    const done = await redeem(body);
    expect(done.status).toBe(200);
    expect(done.body.parent_redemption).toMatchObject({
      related_object_type: 'redemption',
      related_redemptions: { redemptions: done.body.redemptions.map(({ id }: { id: string }) => ({ id })) },
    });
    expect(done.body.redemptions).toMatchObject([
      { voucher: { code: 'TEN' }, order: { applied_discount_amount: 100 } },
      { voucher: { code: 'GIFT' }, amount: 400, gift: { amount: 400 }, order: { applied_discount_amount: 400 } },
    ]);
    expect(done.body.order).toMatchObject({ amount: 1000, total_discount_amount: 500, total_amount: 500 });
    expect(said.body.order.total_amount).toBe(done.body.order.total_amount);
    expect(await read('GIFT')).toMatchObject({ gift: { balance: 0 }, redemption: { redeemed_amount: 400 } });
    expect(await ledger('GIFT')).toMatchObject([{ type: 'CREDITS_REDEMPTION', source: null }]);
  });

  test('refuses a gift card without free credits, unless 0 are sent, and leaves the order unpaid', async () => {
    const { redeem, validate, read } = await shop({ vouchers: [giftCard('EMPTY', 0), giftCard('LOCKED', 400)] });
    const other = { redeemables: vouchers('LOCKED'), order: cart(1), session: { type: 'LOCK', key: 'another-till' } };
    expect((await validate(other)).body.valid).toBe(true);
    for (const code of ['EMPTY', 'LOCKED']) {
      const body = { redeemables: vouchers(code), order: { source_id: `of-${code}`, ...cart(1) } };
      const validated = (await validate(body)).body;
      const [one] = validated.redeemables;
      expect([validated.valid, one.result.error.key]).toEqual([false, 'gift_amount_exceeded']);
      expect(await redeem(body)).toMatchObject({ status: 400, body: { key: 'gift_amount_exceeded' } });
      const asked = { ...body, redeemables: [{ object: 'voucher', id: code, gift: { credits: 0 } }] };
      expect((await validate(asked)).body.valid).toBe(true);
      expect((await redeem(asked)).status).toBe(200);
    }
    expect((await read('LOCKED')).gift).toMatchObject({ balance: 400 });
  });

  test('of one voucher by its code and by its id is refused, and takes nothing', async () => {
    const { redeem, validate, read } = await shop({ vouchers: [coupon('ONE'), giftCard('GIFT', 1000)] });
    for (const code of ['ONE', 'GIFT']) {
      const before = await read(code);
      for (const ask of [validate, redeem]) {
        const { status, body } = await ask({ redeemables: vouchers(code, before.id), order: cart(4) });
        expect([status, body.key, body.details]).toEqual([
          400,
          'duplicated_redeemables',
          'redeemables[1].id is the voucher of redeemables[0]',
        ]);
      }
      expect(await read(code)).toEqual(before);
    }
  });
});
