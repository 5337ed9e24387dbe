import { describe, expect, test } from 'vitest';
import { handler as getCustomer } from '../../functions/customers/get-customer.ts';
import { handler as listRedeemables } from '../../functions/customers/list-customer-redeemables.ts';
import { handler as listCustomers } from '../../functions/customers/list-customers.ts';
import { handler as getOrder } from '../../functions/orders/get-order.ts';
import { handler as listRedemptions } from '../../functions/redemptions/list-redemptions.ts';
import { handler as redeemRedeemables } from '../../functions/redemptions/redeem-redeemables.ts';
import { handler as validateRedeemables } from '../../functions/validations/validate-redeemables.ts';
import { handler as getVoucher } from '../../functions/vouchers/get-voucher.ts';
import { handler as listTransactions } from '../../functions/vouchers/list-voucher-transactions.ts';
import { caller } from '../support/call.ts';
import { programme } from '../support/loyalty.ts';
import { loadProject } from '../support/project.ts';

const redeem = caller(redeemRedeemables);
const validate = caller(validateRedeemables);

const coupon = (code: string, more: Record<string, unknown> = {}) => ({
  code,
  type: 'DISCOUNT_VOUCHER',
  discount: { type: 'PERCENT', percent_off: 10, effect: 'APPLY_TO_ORDER' },
  redemption: { quantity: 1, redeemed_quantity: 0 },
  ...more,
});
const giftCard = (code: string, amount: number) => ({ code, type: 'GIFT_VOUCHER', gift: { amount, balance: amount } });

const products = [{ id: 'prod_tea', source_id: 'tea', name: 'Tea', price: 500 }];
const cart = (quantity: number, more: Record<string, unknown> = {}) => ({
  items: [{ source_id: 'tea', quantity }],
  ...more,
});
const vouchers = (...codes: string[]) => codes.map((id) => ({ object: 'voucher', id }));

async function shop(file: Record<string, unknown[]>) {
  const { credentials: headers } = await loadProject({ products, ...file });
  const read = async (code: string) => (await caller(getVoucher)({ headers, params: { code } })).body;
  return {
    headers,
    read,
    redeem: (body: Record<string, unknown>) => redeem({ headers, body }),
    validate: (body: Record<string, unknown>) => validate({ headers, body }),
    order: async (id: string) => (await caller(getOrder)({ headers, params: { orderId: id } })).body,
    customer: async (id: string) => (await caller(getCustomer)({ headers, params: { customerId: id } })).body,
    ledger: async (code: string) => (await caller(listTransactions)({ headers, params: { code } })).body.data,
    redemptions: async (query = '') => (await caller(listRedemptions)({ headers, query })).body.redemptions,
  };
}

describe('a redemption', () => {
  test('takes a use of the code, stores the order as paid and makes the customer', async () => {
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

  test('of somebody of whom nothing is said is that of a guest, whom nobody stores', async () => {
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

  test('that is refused changes nothing, and is kept as a failed one', async () => {
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
        details: 'TEN',
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

  test('of several has a parent, and each what it did to the order', async () => {
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

  test('of a code with a limit lets no more than that through, of twenty at once', async () => {
    const { redeem, read } = await shop({
      vouchers: [coupon('ONE'), coupon('FIFTEEN', { redemption: { quantity: 15, redeemed_quantity: 0 } })],
    });
    for (const [code, limit] of [
      ['ONE', 1],
      ['FIFTEEN', 15],
    ] as const) {
      const replies = await Promise.all(
        Array.from({ length: 20 }, () => redeem({ redeemables: vouchers(code), order: cart(1) })),
      );
      expect(replies.map(({ status }) => status).filter((status) => status === 200)).toHaveLength(limit);
      const keys = new Set(replies.filter(({ status }) => status !== 200).map(({ body }) => body.key));
      expect(keys).toEqual(new Set(['quantity_exceeded']));
      expect((await read(code)).redemption.redeemed_quantity).toBe(limit);
    }
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

  test('of a gift card by twenty at once spends what is on it, and no more', async () => {
    const { redeem, read, ledger } = await shop({ vouchers: [giftCard('GIFT', 1000)] });
    const body = { redeemables: [{ object: 'voucher', id: 'GIFT', gift: { credits: 300 } }], order: cart(1) };
    const replies = await Promise.all(Array.from({ length: 20 }, () => redeem(body)));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(3);
    expect((await read('GIFT')).gift).toMatchObject({ balance: 100 });
    expect(await ledger('GIFT')).toHaveLength(3);
  });
});

describe('a loyalty card', () => {
  const programme = {
    campaigns: [{ id: 'camp_1', name: 'Club', campaign_type: 'LOYALTY_PROGRAM', type: 'AUTO_UPDATE' }],
    customers: [
      { id: 'cust_1', source_id: 'ada' },
      { id: 'cust_2', source_id: 'eve' },
    ],
    vouchers: [
      {
        code: 'CARD',
        type: 'LOYALTY_CARD',
        campaign_id: 'camp_1',
        holder_id: 'cust_1',
        loyalty_card: { points: 500, balance: 500 },
      },
    ],
    rewards: [
      { id: 'rew_coin', name: 'Pay', type: 'COIN', parameters: { coin: { exchange_ratio: 1, points_ratio: 10 } } },
      { id: 'rew_mug', name: 'Mug', type: 'MATERIAL', parameters: { product: { id: 'prod_tea' } }, stock: 2 },
    ],
    reward_assignments: ['rew_coin', 'rew_mug'].map((reward_id, index) => ({
      id: `rewa_${index}`,
      reward_id,
      related_object_id: 'camp_1',
      related_object_type: 'campaign',
      ...(index === 1 ? { parameters: { loyalty: { points: 100 } } } : {}),
    })),
    earning_rules: [
      {
        id: 'ern_1',
        campaign_id: 'camp_1',
        event: 'order.paid',
        active: true,
        loyalty: { type: 'FIXED', points: 7 },
      },
    ],
  };
  const card = (reward: Record<string, unknown>) => [{ object: 'voucher', id: 'CARD', reward }];

  test('pays with points, and earns by the order that it pays in the same step', async () => {
    const { redeem, read, ledger } = await shop(programme);
    const { status, body } = await redeem({
      redeemables: card({ id: 'rew_coin', points: 30 }),
      customer: { source_id: 'ada' },
      order: cart(2),
    });
    expect([status, body]).toMatchObject([
      200,
      {
        redemptions: [
          { amount: 30, loyalty_card: { points: 30 }, reward: { id: 'rew_coin', assignment_id: 'rewa_0' } },
        ],
        order: { amount: 1000, total_discount_amount: 300, total_amount: 700 },
      },
    ]);
    expect(await read('CARD')).toMatchObject({
      loyalty_card: { balance: 477 },
      redemption: { redeemed_quantity: 1, redeemed_points: 30 },
    });
    expect(await ledger('CARD')).toMatchObject([
      { type: 'POINTS_ACCRUAL', points: 7, balance: 477 },
      { type: 'POINTS_REDEMPTION', points: -30, balance: 470, source: null },
    ]);
  });

  test('gives out a reward while there is one, and nobody pays for none', async () => {
    const { redeem, read } = await shop(programme);
    const replies = await Promise.all(
      Array.from({ length: 6 }, () => redeem({ redeemables: card({ id: 'rew_mug' }), customer: { source_id: 'ada' } })),
    );
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(2);
    expect(new Set(replies.filter(({ status }) => status !== 200).map(({ body }) => body.key))).toEqual(
      new Set(['reward_stock_exceeded']),
    );
    expect((await read('CARD')).loyalty_card.balance).toBe(300);
  });

  test.each([
    ['without a reward', {}, 'ada', 'missing_reward'],
    ['of another customer', { id: 'rew_mug' }, 'eve', 'invalid_customer'],
    ['by more points than it has', { id: 'rew_coin', points: 501 }, 'ada', 'loyalty_card_points_exceeded'],
    ['for a reward that nobody knows', { id: 'rew_none' }, 'ada', 'not_found'],
  ])('is refused %s', async (_, reward, source_id, key) => {
    const { redeem, read } = await shop(programme);
    const { body } = await redeem({ redeemables: card(reward), customer: { source_id }, order: cart(1) });
    expect(body.key).toBe(key);
    expect((await read('CARD')).loyalty_card.balance).toBe(500);
  });
});

describe('a limit of a validation rule', () => {
  const limited = (name: string, most: number) => ({
    campaigns: [{ id: 'camp_1', name: 'Sale', campaign_type: 'DISCOUNT_COUPONS', type: 'STATIC' }],
    validation_rules: [
      { id: 'val_1', name: 'Limit', rules: { '1': { name, conditions: { $less_than_or_equal: [most] } } } },
    ],
    validation_rules_assignments: [{ rule_id: 'val_1', related_object_id: 'camp_1', related_object_type: 'campaign' }],
    vouchers: [
      coupon('ALL', { campaign_id: 'camp_1', redemption: { quantity: null, redeemed_quantity: 0 } }),
      coupon('OTHER', { campaign_id: 'camp_1', redemption: { quantity: null, redeemed_quantity: 0 } }),
    ],
  });

  test('that all share lets as many through as it says, of twenty at once by several codes', async () => {
    const { redeem, read } = await shop(limited('campaign.redemptions.count', 12));
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        redeem({ redeemables: vouchers(index % 2 === 0 ? 'ALL' : 'OTHER'), order: cart(1) }),
      ),
    );
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(12);
    const refused = replies.filter(({ status }) => status !== 200).map(({ body }) => body);
    expect(new Set(refused.map(({ key }) => key))).toEqual(new Set(['redemption_rules_violated']));
    expect(refused[0].details).toContain('val_1');
    const used = await Promise.all(['ALL', 'OTHER'].map(read));
    expect(used.reduce((sum, { redemption }) => sum + redemption.redeemed_quantity, 0)).toBe(12);
  });

  test('of each customer counts them apart, and needs one', async () => {
    const { redeem } = await shop(limited('redemption.count.per_customer', 2));
    const by = (source_id: string) => redeem({ redeemables: vouchers('ALL'), customer: { source_id }, order: cart(1) });
    const replies = await Promise.all(Array.from({ length: 12 }, (_, index) => by(index % 2 === 0 ? 'ada' : 'eve')));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(4);
    expect((await redeem({ redeemables: vouchers('ALL'), order: cart(1) })).body.key).toBe('missing_customer');
  });
});

test('an order that another request redeems on meanwhile is refused, and discounts of earlier ones stay', async () => {
  const { redeem, order } = await shop({ vouchers: [coupon('ONE'), coupon('TWO'), coupon('THREE')] });
  const on = (code: string) => redeem({ redeemables: vouchers(code), order: { source_id: 'o-9', ...cart(2) } });
  expect((await on('ONE')).status).toBe(200);
  const replies = await Promise.all(['TWO', 'THREE'].map(on));
  const keys = replies.map(({ status, body }) => (status === 200 ? 'done' : body.key));
  expect(keys.includes('done')).toBe(true);
  expect(keys.every((key) => key === 'done' || key === 'multiple_requests')).toBe(true);
  const done = 1 + keys.filter((key) => key === 'done').length;
  expect((await order('o-9')).total_discount_amount).toBe(done === 3 ? 271 : 190);
});

test('twelve redemptions at once of a customer whom they make a member make one card, on which all of them earn', async () => {
  const codes = Array.from({ length: 12 }, (_, index) => `OWN-${index}`);
  const { redeem, headers } = await shop({
    customers: [{ id: 'cust_ada', source_id: 'ada' }],
    campaigns: [programme('camp_club', { type: 'AUTO_UPDATE', auto_join: true })],
    earning_rules: [
      {
        id: 'ern_1',
        campaign_id: 'camp_club',
        event: 'order.paid',
        active: true,
        loyalty: { type: 'FIXED', points: 5 },
      },
    ],
    vouchers: codes.map((code) => coupon(code)),
  });
  const replies = await Promise.all(
    codes.map((code) => redeem({ redeemables: vouchers(code), customer: { id: 'cust_ada' }, order: cart(1) })),
  );
  expect(replies.map(({ status }) => status)).toEqual(codes.map(() => 200));
  const { body } = await caller(listRedeemables)({ headers, params: { customerId: 'cust_ada' } });
  const cards = body.data.filter(({ campaign_id }: { campaign_id: string }) => campaign_id === 'camp_club');
  expect(cards).toMatchObject([{ redeemable: { voucher: { loyalty_card: { balance: 60 } } } }]);
});
