import { expect, test } from 'vitest';
import { handler as listActivities } from '../../functions/customers/list-customer-activities.ts';
import { handler as listMemberActivity } from '../../functions/loyalties/list-member-activity.ts';
import { handler as publish } from '../../functions/publications/create-publication.ts';
import { handler as redeemHandler } from '../../functions/redemptions/redeem-redeemables.ts';
import { handler as rollBackHandler } from '../../functions/redemptions/rollback-redemption.ts';
import { caller } from '../support/call.ts';
import { promotionTier } from '../support/lists.ts';
import { card, programme } from '../support/loyalty.ts';
import { loadProject } from '../support/project.ts';

/** Activities of publications, redemptions and rollbacks name their campaign, and are found by it. */

const off = { type: 'AMOUNT', amount_off: 50, effect: 'APPLY_TO_ORDER' };

const file = {
  customers: [{ id: 'cust_ada', source_id: 'ada' }],
  campaigns: [
    programme('camp_club'),
    { id: 'camp_p', name: 'Tiers', campaign_type: 'PROMOTION', type: 'STATIC' },
    { id: 'camp_c', name: 'Codes', campaign_type: 'DISCOUNT_COUPONS', type: 'STATIC' },
  ],
  promotion_tiers: [promotionTier({ id: 'promo_1', name: 'Fifty', campaign_id: 'camp_p', hierarchy: 1 }, off)],
  vouchers: [
    { code: 'CODE', type: 'DISCOUNT_VOUCHER', campaign_id: 'camp_c', discount: off },
    { code: 'ALONE', type: 'DISCOUNT_VOUCHER', discount: off },
    card('CARD', 1_000, { holder_id: 'cust_ada' }),
  ],
  rewards: [
    { id: 'rew_coin', name: 'Coins', type: 'COIN', parameters: { coin: { exchange_ratio: 0.01, points_ratio: 1 } } },
  ],
  reward_assignments: [
    { id: 'rewa_coin', reward_id: 'rew_coin', related_object_type: 'campaign', related_object_id: 'camp_club' },
  ],
};

async function open() {
  const { credentials: headers } = await loadProject(file);
  const ask = async (handler: Parameters<typeof caller>[0], request: object) => {
    const { status, body } = await caller(handler)({ headers, ...request });
    expect([status, body.details]).toEqual([200, undefined]);
    return body;
  };
  return {
    publish: (voucher: string) => ask(publish, { body: { voucher, customer: 'ada' } }),
    /** Redeems it and rolls the redemption back. */
    redeem: async (redeemable: object) => {
      const body = { redeemables: [redeemable], customer: { source_id: 'ada' }, order: { amount: 1_000 } };
      const { redemptions } = await ask(redeemHandler, { body });
      await ask(rollBackHandler, { params: { redemptionId: redemptions[0].id } });
    },
    told: async (query = '') => (await ask(listActivities, { params: { customerId: 'cust_ada' }, query })).data,
    toldOfCard: async () => (await ask(listMemberActivity, { params: { memberId: 'CARD' } })).data,
  };
}

const moved = ['customer.redemption.rollback.succeeded', 'customer.redemption.succeeded'];
type Told = { type: string; data: { data: object } };
const typesOf = (all: readonly Told[]) => all.map(({ type }) => type).filter((type) => moved.includes(type));

test.each([
  ['a code', { object: 'voucher', id: 'CODE' }, { id: 'camp_c', name: 'Codes' }, 'DISCOUNT_COUPONS'],
  ['a tier', { object: 'promotion_tier', id: 'promo_1' }, { id: 'camp_p', name: 'Tiers' }, 'PROMOTION'],
])('of %s', async (_, redeemable, campaign, type) => {
  const shop = await open();
  await shop.redeem(redeemable);
  for (const query of [`campaign_id=${campaign.id}`, `campaign_type=${type}`]) {
    const told: Told[] = await shop.told(query);
    expect([query, typesOf(told)]).toEqual([query, moved]);
    for (const { data } of told) expect(data.data).toMatchObject({ campaign: { ...campaign, object: 'campaign' } });
  }
});

test("of a card, which its member's activities include", async () => {
  const shop = await open();
  await shop.redeem({ object: 'voucher', id: 'CARD', reward: { id: 'rew_coin', points: 20 } });
  expect(typesOf(await shop.toldOfCard())).toEqual(moved);
});

test('of a code without a campaign, without one', async () => {
  const shop = await open();
  await shop.redeem({ object: 'voucher', id: 'ALONE' });
  const told: Told[] = await shop.told();
  expect(typesOf(told)).toEqual(moved);
  for (const { data } of told) expect(data.data).not.toHaveProperty('campaign');
});

test("of a publication, and of the voucher's holder", async () => {
  const shop = await open();
  await shop.publish('CODE');
  const told: Told[] = await shop.told('campaign_id=camp_c');
  expect(told).toHaveLength(2);
  for (const { data } of told) {
    expect(data.data).toMatchObject({ campaign: { id: 'camp_c', name: 'Codes', object: 'campaign' } });
  }
});
