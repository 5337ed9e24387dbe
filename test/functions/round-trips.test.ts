import { expect, test } from 'vitest';
import { handler as redeem } from '../../functions/redemptions/redeem-redeemables.ts';
import { handler as validate } from '../../functions/validations/validate-redeemables.ts';
import { caller } from '../support/call.ts';
import { newClient, testDependencies } from '../support/dependencies.ts';
import { campaignEntry, couponCampaign, earningRule } from '../support/lists.ts';
import { card, programme } from '../support/loyalty.ts';
import { loadProject } from '../support/project.ts';
import { clientInRounds } from '../support/round-trips.ts';

/** Counts rounds of calls that wait for each other, in a container that has served the same before. A till on AWS waits for these. */

const turns = [0, 1, 2];

const discount = { type: 'PERCENT', percent_off: 3, effect: 'APPLY_TO_ORDER' };
const coupon = (code: string, more: object = {}) => ({ code, type: 'DISCOUNT_VOUCHER', active: true, ...more });
const perCustomer = { name: 'redemption.count.per_customer', conditions: { $less_than_or_equal: [100] } };
const ofCampaign = { related_object_type: 'campaign', related_object_id: 'camp_coupons' };

const lists = {
  products: [{ id: 'prod_tea', source_id: 'tea', name: 'Tea', price: 500 }],
  categories: [{ id: 'cat_1', name: 'One' }],
  customers: [
    { id: 'cust_ada', source_id: 'ada' },
    { id: 'cust_bob', source_id: 'bob' },
  ],
  campaigns: [
    couponCampaign('camp_coupons', 'Coupons', discount, { category_id: 'cat_1' }),
    programme('camp_club'),
    campaignEntry('camp_mates', 'Mates', 'REFERRAL_PROGRAM', {
      voucher: { type: 'DISCOUNT_VOUCHER', discount, is_referral_code: true },
      referral_program: {
        conversion_event_type: 'redemption',
        referee_reward: { type: 'LOYALTY_CARD', amount: 50, related_object_parent: { id: 'camp_club' } },
      },
    }),
  ],
  validation_rules: [{ id: 'val_few', name: 'Few', rules: { 1: perCustomer } }],
  validation_rules_assignments: [{ id: 'asgm_few', rule_id: 'val_few', ...ofCampaign }],
  vouchers: [
    ...turns.map((turn) => coupon(`OWN-${turn}`, { campaign_id: 'camp_coupons', redemption: { quantity: 1 } })),
    ...[0, 1, 2, 3, 4].map((index) => coupon(`ALL-${index}`, { discount })),
    card('CARD', 1_000, { holder_id: 'cust_ada' }),
    coupon('MATE', { campaign_id: 'camp_mates', holder_id: 'cust_ada' }),
  ],
  rewards: [
    { id: 'rew_coin', name: 'Coins', type: 'COIN', parameters: { coin: { exchange_ratio: 0.01, points_ratio: 1 } } },
  ],
  reward_assignments: [
    { id: 'rewa_coin', reward_id: 'rew_coin', related_object_type: 'campaign', related_object_id: 'camp_club' },
  ],
};

/** A programme in which every customer who pays an order earns. */
const earning = {
  earning_rules: [
    earningRule('ern_order', 'order.paid', {
      type: 'PROPORTIONAL',
      calculation_type: 'ORDER_TOTAL_AMOUNT',
      order: { total_amount: { every: 100, points: 1 } },
    }),
  ],
};

const voucher = (id: string, more: object = {}) => ({ object: 'voucher', id, ...more });
const own = (turn: number) => [voucher(`OWN-${turn}`)];
const ada = { source_id: 'ada' };
const cart = { items: [{ source_id: 'tea', quantity: 2 }] };
const longCart = {
  items: Array.from({ length: 30 }, (_, index) => ({ source_id: index ? `line-${index}` : 'tea', quantity: 2 })),
};
const byPoints = { reward: { id: 'rew_coin', points: 10 } };

interface Row {
  what: string;
  handler?: Parameters<typeof caller>[0];
  more?: object;
  body: (turn: number) => object;
  most: number;
}

const rows: Row[] = [
  { what: 'a coupon without an order', body: (turn) => ({ redeemables: own(turn), customer: ada }), most: 3 },
  {
    what: 'a coupon on an order',
    body: (turn) => ({ redeemables: own(turn), customer: ada, order: cart }),
    most: 3,
  },
  {
    what: 'a coupon of a new customer',
    more: earning,
    body: (turn) => ({ redeemables: own(turn), customer: { source_id: `new-${turn}` }, order: cart }),
    most: 3,
  },
  {
    what: 'a coupon of a customer who earns by it',
    more: earning,
    body: (turn) => ({ redeemables: own(turn), customer: { id: 'cust_ada' }, order: cart }),
    most: 3,
  },
  {
    what: "the same with the caller's own id, which leads to the customer and then to the cards",
    more: earning,
    body: (turn) => ({ redeemables: own(turn), customer: ada, order: cart }),
    most: 4,
  },
  {
    what: 'a code for everybody, which is held first',
    more: earning,
    body: () => ({ redeemables: [voucher('ALL-0')], customer: ada, order: cart }),
    most: 4,
  },
  {
    what: 'a referral code of a customer whose programme has converted before',
    body: () => ({ redeemables: [voucher('MATE')], customer: { id: 'cust_bob' }, order: cart }),
    most: 4,
  },
  {
    what: 'a referral code of a customer who converts, is rewarded, and gets a card for that',
    body: (turn) => ({ redeemables: [voucher('MATE')], customer: { source_id: `mate-${turn}` }, order: cart }),
    most: 5,
  },
  {
    what: 'points that pay for an order, which earns some',
    more: earning,
    body: () => ({ redeemables: [voucher('CARD', byPoints)], customer: { id: 'cust_ada' }, order: cart }),
    most: 5,
  },
  {
    what: 'a validation of five codes on thirty lines',
    handler: validate,
    more: earning,
    body: () => ({
      redeemables: [0, 1, 2, 3, 4].map((index) => voucher(`ALL-${index}`)),
      customer: ada,
      order: longCart,
    }),
    most: 2,
  },
];

test.each(rows)('$what takes at most $most round trips', async ({ handler = redeem, more, body, most }) => {
  const { credentials: headers } = await loadProject({ ...lists, ...more });
  const { dynamodb, taken } = clientInRounds(newClient());
  const call = caller(handler, testDependencies({ dynamodb }));
  for (const turn of turns) {
    const { status, body: reply } = await call({ headers, body: body(turn) });
    expect([status, reply]).toEqual([200, expect.anything()]);
    const rounds = taken();
    if (turn > 0) expect(rounds.slice(most)).toEqual([]);
  }
});
