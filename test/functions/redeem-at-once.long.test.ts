import { describe, expect, test } from 'vitest';
import { handler as listRedeemables } from '../../functions/customers/list-customer-redeemables.ts';
import { caller } from '../support/call.ts';
import { programme } from '../support/loyalty.ts';
import { cart, coupon, earning, giftCard, shop, vouchers } from '../support/redeeming.ts';

describe('a redemption', () => {
  test('of a code with a limit succeeds only up to that limit, with twenty callers at once', async () => {
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

  test('of a gift card by twenty callers at once spends its balance, and not more', async () => {
    const { redeem, read, ledger } = await shop({ vouchers: [giftCard('GIFT', 1000)] });
    const body = { redeemables: [{ object: 'voucher', id: 'GIFT', gift: { credits: 300 } }], order: cart(1) };
    const replies = await Promise.all(Array.from({ length: 20 }, () => redeem(body)));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(3);
    expect((await read('GIFT')).gift).toMatchObject({ balance: 100 });
    expect(await ledger('GIFT')).toHaveLength(3);
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

  test('shared by all accepts exactly its number of redemptions, with twenty callers at once and several codes', async () => {
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

  test('per customer counts customers separately, and needs a customer', async () => {
    const { redeem } = await shop(limited('redemption.count.per_customer', 2));
    const by = (source_id: string) => redeem({ redeemables: vouchers('ALL'), customer: { source_id }, order: cart(1) });
    const replies = await Promise.all(Array.from({ length: 12 }, (_, index) => by(index % 2 === 0 ? 'ada' : 'eve')));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(4);
    expect((await redeem({ redeemables: vouchers('ALL'), order: cart(1) })).body.key).toBe('missing_customer');
  });
});

test('an order on which another request redeems meanwhile is refused, and earlier discounts stay', async () => {
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

test('twelve simultaneous redemptions that make their customer a member create one card, on which all of them earn', async () => {
  const codes = Array.from({ length: 12 }, (_, index) => `OWN-${index}`);
  const { redeem, headers } = await shop({
    customers: [{ id: 'cust_ada', source_id: 'ada' }],
    campaigns: [programme('camp_club', { type: 'AUTO_UPDATE', auto_join: true })],
    earning_rules: [earning('camp_club', 5)],
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
