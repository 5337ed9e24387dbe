import { describe, expect, test } from 'vitest';
import { card } from '../support/loyalty.ts';
import { codes, openReferring, referral } from '../support/referring.ts';

const order = { amount: 1000 };
const bob = { source_id: 'bob' };
const earning = {
  ...{ id: 'ern_1', campaign_id: 'camp_crew', event: 'order.paid', active: true },
  loyalty: { type: 'FIXED', points: 7 },
};

describe('a conversion by a redemption gives the referee', () => {
  test.each([
    ['on their card', 'bob', 107 + 50],
    ['on the card that the order creates for them as a member', 'new', 7 + 50],
  ])("points %s, beside the order's own points there", async (_, source_id, points) => {
    const [crew, ...others] = referral.campaigns;
    const campaigns = [{ ...crew, auto_join: true }, ...others];
    const shop = await openReferring({ campaigns, earning_rules: [earning] });
    const { body } = await shop.redeem({ redeemables: codes('BY-points'), customer: { source_id }, order });
    expect(await shop.memberships(source_id)).toMatchObject({ Crew: { points } });
    const held = (await shop.customer(source_id)).summary.redemptions.loyalty_card;
    expect(held.points_to_go).toBe(points);
    if (source_id === 'bob') {
      expect(await shop.ledger('BOBS')).toMatchObject([
        {
          ...{ points: 50, source: 'Automation' },
          details: {
            ...{ referral_code: 'BY-points', redemption: { id: body.redemptions[0].id } },
            order: { id: body.order.id },
          },
        },
        { points: 7 },
      ]);
    }
  });

  test('points on the same card that pays in the request', async () => {
    const exchange = { coin: { exchange_ratio: 1, points_ratio: 1 } };
    const shop = await openReferring({
      rewards: [{ id: 'rew_coin', name: 'Coins', type: 'COIN', parameters: exchange }],
      reward_assignments: [
        { id: 'rewa_coin', reward_id: 'rew_coin', related_object_type: 'campaign', related_object_id: 'camp_crew' },
      ],
    });
    const paying = { object: 'voucher', id: 'BOBS', reward: { id: 'rew_coin', points: 30 } };
    for (const [more, balance] of [
      [{ customer: bob }, 100 - 30 + 50],
      [{ customer: bob }, 100 - 30 + 50 - 30],
    ] as const) {
      const redeemables = [paying, ...codes('BY-points')];
      expect((await shop.redeem({ redeemables, order: { amount: 10_000 }, ...more })).status).toBe(200);
      expect((await shop.card('BOBS')).balance).toBe(balance);
    }
  });

  test.each([
    ['', {}],
    [', without an order', { order: undefined }],
  ])('credits on their gift voucher, also on one that pays in the same request, in one change%s', async (_, more) => {
    const shop = await openReferring();
    const gift = 'order' in more ? [] : codes('BOBS-GIFT');
    const redeemables = [...codes('BY-gifts'), ...gift, ...codes('BY-extra')];
    const { status, body } = await shop.redeem({ redeemables, customer: bob, order, ...more });
    expect([status, body]).toMatchObject([200, {}]);
    const paid = gift.length * 300;
    const after = await shop.voucher('BOBS-GIFT');
    if (paid) expect(body.redemptions[1].voucher.gift).toEqual(after.gift);
    expect(after).toMatchObject({
      gift: { amount: 1000 + 730, balance: 300 + 730 - paid },
      redemption: { redeemed_quantity: gift.length },
    });
    expect((await shop.ledger('BOBS-GIFT')).map(({ amount }: { amount: number }) => amount)).toEqual([
      ...[30, 700],
      ...(paid ? [-paid] : []),
    ]);
    expect((await shop.referralsOf('bob')).total).toBe(2);
  });

  test('one gift voucher with all credits, if they have none', async () => {
    const shop = await openReferring();
    const customer = { source_id: 'cleo' };
    expect((await shop.redeem({ redeemables: codes('BY-gifts', 'BY-extra'), customer, order })).status).toBe(200);
    expect((await shop.customer('cleo')).summary.redemptions.gift.amount_to_go).toBe(730);
  });

  test.each(['over', 'wrong', 'nowhere'])('nothing from a campaign that is %s, and counts', async (name) => {
    const shop = await openReferring();
    const { status } = await shop.redeem({ redeemables: codes(`BY-${name}`), customer: bob, order });
    expect([status, (await shop.referralsOf('bob')).total]).toEqual([200, 1]);
    expect((await shop.card('BOBS')).balance).toBe(100);
  });

  test.each([{ order }, {}])('points on a card with lapsed points, which are written off first (%o)', async (more) => {
    const lapsed = card('CLEOS', [{ points: 10, expires: '2026-01-01' }], {
      campaign_id: 'camp_crew',
      holder_id: 'cust_cleo',
    });
    const shop = await openReferring({ vouchers: [...referral.vouchers, lapsed] });
    const redeemables = codes('BY-points', 'BY-more');
    expect((await shop.redeem({ redeemables, customer: { source_id: 'cleo' }, ...more })).status).toBe(200);
    expect(await shop.ledger('CLEOS')).toMatchObject([{ points: 5, balance: 55 }, { points: 50 }, { points: -10 }]);
  });

  test('nothing if their only card cannot be used, and counts', async () => {
    const off = card('CLEOS', 10, { campaign_id: 'camp_crew', holder_id: 'cust_cleo', active: false });
    const shop = await openReferring({ vouchers: [...referral.vouchers, off] });
    const { status } = await shop.redeem({ redeemables: codes('BY-points'), customer: { source_id: 'cleo' }, order });
    expect([status, (await shop.referralsOf('cleo')).total]).toEqual([200, 1]);
    expect((await shop.card('CLEOS')).balance).toBe(10);
  });
});

describe('a conversion by a redemption gives the referrer', () => {
  const creditsOf = async ({ customer }: Awaited<ReturnType<typeof openReferring>>) =>
    (await customer('ada')).summary.redemptions.gift.amount_to_go;

  test.each([{ order }, {}])('credits, beside the points of the referee, once (%o)', async (more) => {
    const shop = await openReferring();
    const redeem = () => shop.redeem({ redeemables: codes('BY-mutual'), customer: bob, ...more });
    expect([(await redeem()).status, (await redeem()).status]).toEqual([200, 200]);
    expect([(await shop.card('BOBS')).balance, await creditsOf(shop)]).toEqual([150, 200]);
  });

  test('points on one card, for each of twenty referees at once', async () => {
    const shop = await openReferring();
    const sent = Array.from({ length: 20 }, (_, index) =>
      shop.redeem({
        redeemables: codes('BY-thanks'),
        customer: { source_id: `many-${index}` },
        ...(index % 2 ? { order } : {}),
      }),
    );
    expect(new Set((await Promise.all(sent)).map(({ status }) => status))).toEqual(new Set([200]));
    expect(await shop.memberships('ada')).toMatchObject({ Crew: { points: 20 * 30 } });
  });

  test('credits on their gift voucher with which the referee pays, in one change of the voucher', async () => {
    const adas = { code: 'ADAS-GIFT', type: 'GIFT_VOUCHER', campaign_id: 'camp_gifts', holder_id: 'cust_ada' };
    const shop = await openReferring({
      vouchers: [...referral.vouchers, { ...adas, gift: { amount: 1000, balance: 1000 } }],
    });
    const redeemables = codes('BY-mutual', 'ADAS-GIFT');
    const { status } = await shop.redeem({ redeemables, customer: bob, order });
    expect(status).toBe(200);
    expect((await shop.voucher('ADAS-GIFT')).gift).toMatchObject({ amount: 1200, balance: 1000 - 900 + 200 });
  });

  test('nothing if nobody shares the code, and counts', async () => {
    const shared = referral.vouchers.map(({ code, ...one }) =>
      code === 'BY-mutual' ? { ...one, code, holder_id: null } : { ...one, code },
    );
    const shop = await openReferring({ vouchers: shared });
    const { status } = await shop.redeem({ redeemables: codes('BY-mutual'), customer: bob, order });
    expect([status, (await shop.referralsOf('bob')).total, await creditsOf(shop)]).toEqual([200, 1, 0]);
  });
});
