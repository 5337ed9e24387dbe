import { beforeAll, describe, expect, test } from 'vitest';
import { testTime } from '../support/dependencies.ts';
import { coupon } from '../support/lists.ts';
import { card, programme } from '../support/loyalty.ts';
import { openShop, type Shop, typesOf } from '../support/shop.ts';

describe('an event with a referral code', () => {
  test('counts the conversion once per referee, for the holder of the code', async () => {
    const shop = await openShop();
    const send = (source_id: string) =>
      shop.send({ event: 'signed_in', customer: { source_id }, referral: { code: 'FRIEND-ADA' } });
    await Promise.all([send('r-1'), send('r-1'), send('r-1'), send('r-2')]);
    await send('shop-1');
    const ada = await shop.customer('cust_ada');
    expect(ada.loyalty).toMatchObject({
      referred_customers: 2,
      campaigns: {
        Club: { referred_customers: 0 },
        Friends: { points: 0, referred_customers: 2 },
      },
    });
    const list = await shop.activities('cust_ada');
    expect(typesOf(list)).toEqual(['customer.custom_event', 'customer.referred', 'customer.referred']);
    expect(list.total).toBe(3);
    expect(await shop.activities('cust_ada', 'campaign_id=camp_friends')).toMatchObject({ total: 2 });
    expect((await shop.customer('r-1')).referrals).toEqual({
      total: 1,
      campaigns: [
        {
          campaign_id: 'camp_friends',
          referrer_id: 'cust_ada',
          related_object_id: expect.stringMatching(/^v_/),
          related_object_type: 'voucher',
          date: testTime.toISOString(),
        },
      ],
    });
  });

  test('counts nothing for another account of the person who shares the code', async () => {
    const shop = await openShop();
    await shop.send({ event: 'visited', customer: { source_id: 'shop-1', email: 'ada@mail.example' } });
    const send = (source_id: string, email: string) =>
      shop.send({ event: 'signed_in', customer: { source_id, email }, referral: { code: 'FRIEND-ADA' } });
    await send('second', 'Ada+2@mail.example');
    expect((await shop.customer('cust_ada')).loyalty.referred_customers).toBe(0);
    await send('friend', 'bo@mail.example');
    expect((await shop.customer('cust_ada')).loyalty.referred_customers).toBe(1);
  });

  test('counts for the referrer that it names, by id or source id', async () => {
    const shop = await openShop();
    await shop.send({
      event: 'visited',
      customer: { source_id: 'r-3' },
      referral: { code: 'FRIEND-ADA', referrer_id: 'shop-2' },
    });
    expect((await shop.customer('cust_bob')).loyalty.referred_customers).toBe(1);
    expect((await shop.customer('cust_ada')).loyalty.referred_customers).toBe(0);
  });
});

const reward = (type: string, parent: string, amount: number) => ({
  type,
  amount,
  related_object_parent: { id: `camp_${parent}`, object: 'campaign' },
});

/** A referral programme that rewards its referees. */
const referring = (name: string, type: string, parent: string, amount: number) => ({
  id: `camp_by_${name}`,
  name: `By ${name}`,
  campaign_type: 'REFERRAL_PROGRAM',
  type: 'AUTO_UPDATE',
  voucher: { type: 'DISCOUNT_VOUCHER', is_referral_code: true },
  referral_program: {
    conversion_event_type: 'custom_event',
    custom_event: { name: 'subscribed' },
    referee_reward: reward(type, parent, amount),
  },
});

/** A referral programme that rewards only the referrer. */
const thanking = (name: string, type: string, parent: string, amount: number, more: object = {}) => {
  const { referral_program: sent, ...campaign } = referring(name, type, parent, amount);
  const { referee_reward: referrer_reward, ...programme } = sent;
  return { ...campaign, referral_program: { ...programme, referrer_reward, ...more } };
};

const code = (name: string) =>
  coupon(`BY-${name}`, { type: 'AMOUNT', amount_off: 500 }, { campaign_id: `camp_by_${name}`, holder_id: 'cust_ada' });

const lists = {
  customers: [{ id: 'cust_ada' }, { id: 'cust_bob', source_id: 'bob' }],
  event_schema: ['subscribed', 'quiet'].map((name) => ({ name, metadata: {} })),
  campaigns: [
    programme('camp_first', { name: 'First', type: 'AUTO_UPDATE' }),
    programme('camp_over', { type: 'AUTO_UPDATE', expiration_date: '2026-01-01T00:00:00Z' }),
    { id: 'camp_gifts', name: 'Gifts', campaign_type: 'GIFT_VOUCHERS', type: 'AUTO_UPDATE' },
    referring('points', 'LOYALTY_CARD', 'first', 150),
    referring('gifts', 'GIFT_VOUCHER', 'gifts', 700),
    referring('over', 'LOYALTY_CARD', 'over', 150),
    referring('wrong', 'GIFT_VOUCHER', 'first', 150),
    referring('nowhere', 'LOYALTY_CARD', 'gone', 150),
    programme('camp_thanks', { name: 'Thanks', type: 'AUTO_UPDATE' }),
    thanking('thanks', 'LOYALTY_CARD', 'thanks', 40),
    thanking('same', 'LOYALTY_CARD', 'first', 9),
    thanking('both', 'GIFT_VOUCHER', 'gifts', 25, { referee_reward: reward('LOYALTY_CARD', 'first', 5) }),
    thanking('older', 'LOYALTY_CARD', 'thanks', 3, {
      conversion_event_type: undefined,
      custom_event: undefined,
      conversion_event: 'quiet',
    }),
  ],
  earning_rules: [
    {
      id: 'ern_1',
      campaign_id: 'camp_first',
      event: 'subscribed',
      active: true,
      loyalty: { type: 'FIXED', points: 7 },
    },
  ],
  vouchers: [
    card('BOBS', 100, { campaign_id: 'camp_first', holder_id: 'cust_bob' }),
    card('ADAS', 100, { campaign_id: 'camp_first', holder_id: 'cust_ada' }),
    {
      code: 'BOBS-GIFT',
      type: 'GIFT_VOUCHER',
      campaign_id: 'camp_gifts',
      holder_id: 'cust_bob',
      gift: { amount: 1000, balance: 300 },
    },
    ...['points', 'gifts', 'over', 'wrong', 'nowhere', 'thanks', 'same', 'both', 'older'].map(code),
  ],
};

describe('a conversion gives the referee', () => {
  let shop: Shop;
  beforeAll(async () => {
    shop = await openShop(undefined, lists);
  });

  const subscribe = (source_id: string, name: string) =>
    shop.send({ event: 'subscribed', customer: { source_id }, referral: { code: `BY-${name}` } });
  const referred = async (source_id: string) => (await shop.customer(source_id)).referrals.total;

  test("points on their card, beside the event's own points there, once", async () => {
    const { balance } = await shop.card('BOBS');
    expect((await subscribe('bob', 'points')).status).toBe(200);
    expect((await shop.card('BOBS')).balance).toBe(balance + 7 + 150);
    expect(await shop.ledger('BOBS')).toMatchObject([
      { points: 150, details: { custom_event: { type: 'subscribed' }, referral_code: 'BY-points' } },
      { points: 7 },
      ...Array.from({ length: (await shop.ledger('BOBS')).length - 2 }, () => ({})),
    ]);
    await subscribe('bob', 'points');
    expect((await shop.card('BOBS')).balance).toBe(balance + 7 + 150 + 7);
  });

  test('a card with the points, if they have none', async () => {
    await subscribe('referee-1', 'points');
    expect(await shop.memberships('referee-1')).toMatchObject({ First: { points: 150 } });
  });

  test('credits on their gift voucher', async () => {
    await subscribe('bob', 'gifts');
    expect((await shop.voucher('BOBS-GIFT')).gift).toMatchObject({ amount: 1700, balance: 1000 });
    expect(await shop.ledger('BOBS-GIFT')).toMatchObject([
      {
        type: 'CREDITS_ADDITION',
        amount: 700,
        balance: 1000,
        details: { custom_event: { type: 'subscribed' }, referral_code: 'BY-gifts' },
      },
    ]);
  });

  test('a gift voucher with the credits, if they have none', async () => {
    await subscribe('referee-2', 'gifts');
    expect((await shop.customer('referee-2')).summary.redemptions.gift.amount_to_go).toBe(700);
  });

  test.each(['over', 'wrong', 'nowhere'])('nothing from a campaign that is %s, and counts', async (name) => {
    const source_id = `referee-${name}`;
    expect((await subscribe(source_id, name)).status).toBe(200);
    expect(await referred(source_id)).toBe(1);
    expect(await shop.memberships(source_id)).toEqual({});
  });

  test.each([
    ['a new customer', 'many-3', false],
    ['a known one', 'many-4', true],
  ])('its reward once, by twenty events at once of %s', async (_, source_id, isKnown) => {
    if (isKnown) await shop.send({ event: 'quiet', customer: { source_id } });
    const sent = Array.from({ length: 20 }, () => subscribe(source_id, 'gifts'));
    expect(new Set((await Promise.all(sent)).map(({ status }) => status))).toEqual(new Set([200]));
    expect(await referred(source_id)).toBe(1);
    expect((await shop.customer(source_id)).summary.redemptions.gift.amount_to_go).toBe(700);
  });
});

describe('a conversion gives the referrer', () => {
  let shop: Shop;
  beforeAll(async () => {
    shop = await openShop(undefined, lists);
  });

  const send = (event: string, source_id: string, name: string, more: object = {}) =>
    shop.send({ event, customer: { source_id }, referral: { code: `BY-${name}` }, ...more });
  const pointsOf = async (name: string) => (await shop.memberships('cust_ada'))[name]?.points;
  const credits = async () => (await shop.customer('cust_ada')).summary.redemptions.gift.amount_to_go;

  test('points, on one card that is created for them, once for each of twenty referees at once', async () => {
    const sent = Array.from({ length: 20 }, (_, index) => send('subscribed', `thanked-${index}`, 'thanks'));
    expect(new Set((await Promise.all(sent)).map(({ status }) => status))).toEqual(new Set([200]));
    expect(await pointsOf('Thanks')).toBe(20 * 40);
    await Promise.all([send('subscribed', 'thanked-0', 'thanks'), send('subscribed', 'thanked-0', 'thanks')]);
    expect(await pointsOf('Thanks')).toBe(20 * 40);
  });

  test('points on the card on which the event itself earns, in one change of the card', async () => {
    const sent = await send('subscribed', 'same-1', 'same', { loyalty: { code: 'ADAS' } });
    expect(sent.status).toBe(200);
    expect(await shop.ledger('ADAS')).toMatchObject([{ points: 9 }, { points: 7 }]);
    expect((await shop.card('ADAS')).balance).toBe(100 + 7 + 9);
  });

  test('credits, beside the points of the referee', async () => {
    const before = await credits();
    expect((await send('subscribed', 'both-1', 'both')).status).toBe(200);
    expect((await send('subscribed', 'both-2', 'both')).status).toBe(200);
    expect(await credits()).toBe(before + 50);
    expect(await shop.memberships('both-1')).toMatchObject({ First: { points: 5 } });
  });

  test('its reward by the event that an older client names as conversion_event, and by no other', async () => {
    const before = (await pointsOf('Thanks')) ?? 0;
    await send('subscribed', 'older-1', 'older');
    expect(await pointsOf('Thanks')).toBe(before);
    await send('quiet', 'older-1', 'older');
    expect(await pointsOf('Thanks')).toBe(before + 3);
  });
});
