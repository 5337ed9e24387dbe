import { describe, expect, test } from 'vitest';
import { handler as ofCampaign } from '../../functions/loyalties/redeem-campaign-member-reward.ts';
import { handler as ofMember } from '../../functions/loyalties/redeem-member-reward.ts';
import { handler as createOrder } from '../../functions/orders/create-order.ts';
import { handler as getOrder } from '../../functions/orders/get-order.ts';
import { handler as listRedemptions } from '../../functions/redemptions/list-redemptions.ts';
import { caller } from '../support/call.ts';
import { openRewards } from '../support/rewarding.ts';

const call = (handler: Parameters<typeof caller>[0], request: object) =>
  caller(handler)({ ...request, headers: shop.project.credentials });

const shop = await openRewards();

describe('a member', () => {
  const redeemed = (member: number, body: object, campaignId?: string) => {
    const params = { memberId: `CARD-${member}`, ...(campaignId === undefined ? {} : { campaignId }) };
    return call(campaignId === undefined ? ofMember : ofCampaign, { params, body });
  };

  const stored = async (more: object) => (await call(createOrder, { body: { amount: 3_000, ...more } })).body;

  test('gets a reward by the path of the card, and by the path of the programme', async () => {
    const mug = { reward: { id: 'rew_mug' } };
    const first = await redeemed(0, { ...mug, metadata: { till: 7 } });
    expect(first).toMatchObject({
      status: 200,
      body: {
        object: 'redemption',
        amount: 45,
        customer_id: 'cust_0',
        metadata: { till: 7 },
        reward: { id: 'rew_mug', product: { id: 'prod_mug' } },
        voucher: {
          code: 'CARD-0',
          loyalty_card: { balance: 955 },
          holder: { id: 'cust_0', object: 'customer' },
          applicable_to: { object: 'list', data: [], total: 0 },
          inapplicable_to: { object: 'list', data: [], total: 0 },
        },
        order: null,
      },
    });
    expect((await redeemed(0, mug, 'camp_club')).body.voucher.loyalty_card.balance).toBe(910);
    expect((await redeemed(0, mug, 'camp_other')).body).toMatchObject({ code: 404, resource_type: 'voucher' });
  });

  test('pays for an order', async () => {
    const { body } = await redeemed(1, { reward: { id: 'rew_coin', points: '100' }, order: { amount: 6_000 } });
    expect(body).toMatchObject({ amount: 100, order: { status: 'PAID', amount: 6_000, total_amount: 4_000 } });
    expect(await shop.balance('CARD-1')).toBe(900);
  });

  test.each([
    [{}, 400, 'missing_reward'],
    [{ reward: { id: 'rew_coin' } }, 400, 'missing_order'],
    [{ reward: { id: 'rew_coin', points: 1_001 }, order: { amount: 6_000 } }, 400, 'loyalty_card_points_exceeded'],
    [{ reward: { id: 'rew_mug' }, order: { amount: 1, customer: { id: 'cust_3' } } }, 400, 'invalid_customer'],
    [{ reward: { id: 'rew_mug' }, order: { amount: 1, customer: { source_id: 'new' } } }, 400, 'invalid_customer'],
    [{ reward: { id: 'rew_nope' } }, 404, 'not_found'],
    [{ reward: { id: 'rew_unassigned' } }, 404, 'not_found'],
    [{ reward: { id: 'rew_none' } }, 400, 'no_voucher_suitable_for_publication'],
  ])('is refused if %j: %i %s', async (body, code, key) => {
    expect((await redeemed(2, body)).body).toMatchObject({ code, key });
    expect(await shop.balance('CARD-2')).toBe(1_000);
  });

  test.each([
    ['by its id', 'rew_coin', ({ id }: { id: string }) => ({ id }), undefined],
    ['by its source id', 'rew_coin', ({ source_id }: { source_id: string }) => ({ source_id }), undefined],
    ['by its id, by the path of the programme', 'rew_mug', ({ id }: { id: string }) => ({ id }), 'camp_club'],
    [
      'by its id, with an unknown owner',
      'rew_coin',
      ({ id }: { id: string }) => ({ id, customer_id: null }),
      undefined,
    ],
  ])(
    'is refused on an order of another customer, named %s, and nothing is written',
    async (place, id, of, campaign) => {
      const order = await stored({ source_id: `of another ${place}`, customer: { source_id: 'other' } });
      const failed = async () => (await call(listRedemptions, { query: 'result=FAILURE' })).body.total;
      const before = await failed();
      const { body } = await redeemed(3, { reward: { id }, order: of(order) }, campaign);
      expect(body).toMatchObject({ code: 400, key: 'invalid_customer' });
      expect((await call(getOrder, { params: { orderId: order.id } })).body).toEqual(order);
      expect([await shop.balance('CARD-3'), await failed()]).toEqual([1_000, before]);
    },
  );

  test('pays for a stored order of their own, and for one without an owner, which becomes theirs', async () => {
    const own = await stored({ customer: { id: 'cust_4' } });
    const free = await stored({});
    for (const { id } of [own, free]) {
      const { status, body } = await redeemed(4, { reward: { id: 'rew_coin', points: 100 }, order: { id } });
      expect([status, body.order?.customer_id, body.order?.total_amount]).toEqual([200, 'cust_4', 1_000]);
    }
    expect(await shop.balance('CARD-4')).toBe(800);
  });

  test.each([
    ['already exists', async () => ({ id: (await stored({})).id })],
    ['is new', async () => ({ source_id: 'wanted by many', amount: 3_000 })],
  ])('alone gets an ownerless order that %s, of twenty who pay for it at once', async (_, wanted) => {
    const order = await wanted();
    const members = Array.from({ length: 20 }, (_, index) => index);
    const left = () => Promise.all(members.map((member) => shop.balance(`CARD-${member}`)));
    const before = await left();
    const reward = { id: 'rew_coin', points: 100 };
    const replies = await Promise.all(members.map((member) => redeemed(member, { reward, order })));
    const winner = replies.findIndex(({ status }) => status === 200);
    expect(replies.map(({ body }) => body.key ?? 'done')).toEqual(
      members.map((_, index) => (index === winner ? 'done' : 'invalid_customer')),
    );
    expect(await left()).toEqual(before.map((points, index) => (index === winner ? points - 100 : points)));
    const { body } = await call(getOrder, { params: { orderId: replies[winner]?.body.order.id } });
    expect(body).toMatchObject({ customer_id: `cust_${members[winner]}`, total_amount: 1_000 });
  });
});
