import { describe, expect, test } from 'vitest';
import { card as loyaltyCard } from '../support/loyalty.ts';
import { cart, earning, giftCard, shop, vouchers } from '../support/redeeming.ts';

describe('a loyalty card', () => {
  const programme = {
    campaigns: [{ id: 'camp_1', name: 'Club', campaign_type: 'LOYALTY_PROGRAM', type: 'AUTO_UPDATE' }],
    customers: [
      { id: 'cust_1', source_id: 'ada' },
      { id: 'cust_2', source_id: 'eve' },
    ],
    vouchers: [loyaltyCard('CARD', 500, { campaign_id: 'camp_1', holder_id: 'cust_1' })],
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
    earning_rules: [earning('camp_1', 7)],
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

  test('with fewer points than an order needs pays nothing, validated or redeemed', async () => {
    const few = loyaltyCard('FEW', 9, { campaign_id: 'camp_1', holder_id: 'cust_2' });
    const { redeem, validate, read, redemptions } = await shop({
      ...programme,
      vouchers: [...programme.vouchers, few, giftCard('TIN', 2_000)],
    });
    const paying = [{ object: 'voucher', id: 'FEW', reward: { id: 'rew_coin' } }];
    const asked = { redeemables: paying, customer: { source_id: 'eve' }, order: cart(1) };
    const key = 'loyalty_card_points_exceeded';
    const details = 'FEW (9 points are left, and an order is paid by at least 10)';
    expect((await validate(asked)).body).toMatchObject({
      valid: false,
      redeemables: [{ status: 'INAPPLICABLE', result: { error: { key, details } } }],
    });
    const refused = await redeem(asked);
    expect(refused.body).toMatchObject({ code: 400, key, details, redeemable_id: 'FEW' });
    expect(await redemptions()).toMatchObject([{ id: refused.body.resource_id, failure_code: key }]);
    expect((await read('FEW')).redemption.redeemed_quantity).toBe(0);
    // If others have paid for everything, the card may still be sent.
    const { body } = await redeem({ ...asked, redeemables: [...vouchers('TIN'), ...paying] });
    expect(body).toMatchObject({ redemptions: [{ amount: 500 }, { amount: 0 }], order: { total_amount: 0 } });
  });

  test('from which twenty callers pay at once with the last points pays as many orders as it has points for', async () => {
    const last = loyaltyCard('LAST', 30, { campaign_id: 'camp_1', holder_id: 'cust_2' });
    const { redeem, read } = await shop({ ...programme, earning_rules: [], vouchers: [last] });
    const paying = [{ object: 'voucher', id: 'LAST', reward: { id: 'rew_coin' } }];
    const asked = { redeemables: paying, customer: { source_id: 'eve' }, order: { amount: 1_000 } };
    const replies = await Promise.all(Array.from({ length: 20 }, () => redeem(asked)));
    expect(replies.map(({ body }) => body.redemptions?.[0].amount ?? body.key).sort()).toEqual([
      30,
      ...Array.from({ length: 19 }, () => 'loyalty_card_points_exceeded'),
    ]);
    expect((await read('LAST')).redemption).toMatchObject({ redeemed_quantity: 1, redeemed_points: 30 });
  });

  test('gives a reward while the stock lasts, and nobody pays for a missing one', async () => {
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
    ['for an unknown reward', { id: 'rew_none' }, 'ada', 'not_found'],
  ])('is refused %s', async (_, reward, source_id, key) => {
    const { redeem, read } = await shop(programme);
    const { body } = await redeem({ redeemables: card(reward), customer: { source_id }, order: cart(1) });
    expect(body.key).toBe(key);
    expect((await read('CARD')).loyalty_card.balance).toBe(500);
  });
});
