import { beforeAll, describe, expect, test } from 'vitest';
import { handler as ofCampaign } from '../../functions/loyalties/redeem-campaign-member-reward.ts';
import { handler as ofMember } from '../../functions/loyalties/redeem-member-reward.ts';
import { caller } from '../support/call.ts';
import { openRewards, type Rewards } from '../support/rewarding.ts';

let shop: Rewards;
const call = (handler: Parameters<typeof caller>[0], request: object) =>
  caller(handler)({ ...request, headers: shop.project.credentials });

beforeAll(async () => {
  shop = await openRewards();
});

describe('a member', () => {
  const redeemed = (member: number, body: object, campaignId?: string) => {
    const params = { memberId: `CARD-${member}`, ...(campaignId === undefined ? {} : { campaignId }) };
    return call(campaignId === undefined ? ofMember : ofCampaign, { params, body });
  };

  test('gets a reward by the path of the card, and by that of the programme', async () => {
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
  ])('is refused as %j: %i %s', async (body, code, key) => {
    expect((await redeemed(2, body)).body).toMatchObject({ code, key });
    expect(await shop.balance('CARD-2')).toBe(1_000);
  });
});
