import { describe, expect, test } from 'vitest';
import { coupon } from '../support/lists.ts';
import { openShop } from '../support/shop.ts';
import { unusable, unusableNames } from '../support/unusable.ts';

const customers = [
  { id: 'cust_ada', source_id: 'ada' },
  { id: 'cust_bob', source_id: 'bob' },
];

const card = (code: string, campaign_id: string, more: object = {}) => ({
  code,
  type: 'LOYALTY_CARD',
  campaign_id,
  loyalty_card: { points: 100, balance: 100 },
  ...more,
});

const friend = (code: string, campaign_id: string, more: object = {}) =>
  coupon(code, { type: 'AMOUNT', amount_off: 500 }, { campaign_id, holder_id: 'cust_ada', ...more });

const loyalty = { campaign_type: 'LOYALTY_PROGRAM', type: 'AUTO_UPDATE', voucher: { type: 'LOYALTY_CARD' } };
const referral = {
  campaign_type: 'REFERRAL_PROGRAM',
  type: 'AUTO_UPDATE',
  voucher: { type: 'DISCOUNT_VOUCHER', is_referral_code: true },
};

const lists = {
  customers,
  event_schema: [
    { name: 'visited', metadata: {} },
    { name: 'subscribed', metadata: {} },
  ],
  campaigns: [
    { ...loyalty, id: 'camp_club', name: 'Club' },
    { ...referral, id: 'camp_friends', name: 'Friends' },
    {
      ...referral,
      id: 'camp_subscribers',
      name: 'Subscribers',
      referral_program: { conversion_event_type: 'custom_event', custom_event: { id: null, name: 'subscribed' } },
    },
    { ...referral, id: 'camp_buyers', name: 'Buyers', referral_program: { conversion_event_type: 'redemption' } },
    ...unusableNames.flatMap((state) => [
      { ...loyalty, id: `camp_${state}`, name: `Club ${state}`, ...unusable[state].fields },
      { ...referral, id: `camp_friends_${state}`, name: `Friends ${state}`, ...unusable[state].fields },
    ]),
  ],
  earning_rules: ['club', ...unusableNames].map((name) => ({
    id: `ern_${name}`,
    campaign_id: `camp_${name}`,
    event: 'visited',
    active: true,
    loyalty: { type: 'FIXED', points: 10 },
  })),
  vouchers: [
    card('CLUB', 'camp_club'),
    friend('FRIEND', 'camp_friends'),
    friend('SUBSCRIBER', 'camp_subscribers'),
    friend('BUYER', 'camp_buyers'),
    friend('OWNED', 'camp_friends', { holder_id: undefined, referrer_id: 'cust_bob' }),
    ...unusableNames.flatMap((state) => [
      card(`IN-${state}`, `camp_${state}`),
      card(`SELF-${state}`, 'camp_club', unusable[state].fields),
      friend(`FRIEND-IN-${state}`, `camp_friends_${state}`),
      friend(`FRIEND-SELF-${state}`, 'camp_friends', unusable[state].fields),
    ]),
  ],
};

const shop = await openShop(undefined, lists);

describe.each(unusableNames)('an event is refused, and nothing counts, while %s', (state) => {
  const { key } = unusable[state];
  const own = key === 'campaign_not_active' ? 'voucher_disabled' : key;

  test.each([
    ['the campaign of the card that it names is', { loyalty: { code: `IN-${state}` } }, key],
    ['the card that it names is', { loyalty: { code: `SELF-${state}` } }, own],
    ['the campaign of its referral code is', { referral: { code: `FRIEND-IN-${state}` } }, key],
    ['its referral code is', { referral: { code: `FRIEND-SELF-${state}` } }, own],
  ])('%s', async (_, named, expected) => {
    const customer = { source_id: `new-${state}-${expected}` };
    const { status, body } = await shop.send({ event: 'visited', customer, ...named });
    expect([status, body.key]).toEqual([400, expected]);
    expect(body.details).toMatch(/^(loyalty|referral)\.code /);
    expect((await shop.activities(customer.source_id)).code).toBe(404);
    const code = Object.values(named)[0]?.code ?? '';
    expect((await shop.card(code))?.balance ?? 100).toBe(100);
  });
});

describe('a referral code', () => {
  const referredBy = async (source_id: string) => (await shop.customer(source_id)).referrals.total;

  test.each([
    ['counts for any event if its programme names none', 'visited', 'FRIEND', 1],
    ['counts for the conversion event of its programme', 'subscribed', 'SUBSCRIBER', 1],
    ['does not count for another event', 'visited', 'SUBSCRIBER', 0],
    ['does not count for an event if the programme converts by redemptions', 'visited', 'BUYER', 0],
  ])('%s', async (_, event, code, total) => {
    const customer = { source_id: `by-${event}-${code}` };
    expect((await shop.send({ event, customer, referral: { code } })).status).toBe(200);
    expect(await referredBy(customer.source_id)).toBe(total);
  });

  test.each([
    ['', 'ada', 'FRIEND', {}],
    [', for any named referrer', 'ada', 'FRIEND', { referrer_id: 'cust_bob' }],
    [' with a referrer in the project file', 'bob', 'OWNED', {}],
    [' of another customer, that names its sender as the referrer', 'bob', 'FRIEND', { referrer_id: 'bob' }],
  ])('of their own converts nobody%s', async (_, source_id, code, more) => {
    const { status } = await shop.send({ event: 'visited', customer: { source_id }, referral: { code, ...more } });
    expect(status).toBe(200);
    expect(await referredBy(source_id)).toBe(0);
  });
});
