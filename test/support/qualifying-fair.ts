import { expect } from 'vitest';
import { handler as assignHolders } from '../../functions/referrals/assign-holders.ts';
import { caller } from './call.ts';
import { campaignEntry, giftCampaign, giftVoucher } from './lists.ts';
import { loadProject } from './project.ts';
import { asking, day, off } from './qualifying.ts';

export const coupons = { type: 'DISCOUNT_VOUCHER', discount: off(10) };
const club = { id: 'camp_club', name: 'Club', campaign_type: 'LOYALTY_PROGRAM', type: 'AUTO_UPDATE' };

/** Something of every kind that Ada may use. */
export const fair = {
  categories: [
    { id: 'cat_a', name: 'A', hierarchy: 1 },
    { id: 'cat_b', name: 'B', hierarchy: 2 },
  ],
  customers: [
    { id: 'cust_ada', source_id: 'ada' },
    { id: 'cust_eve', source_id: 'eve' },
  ],
  campaigns: [
    campaignEntry('camp_promo', 'Promo', 'PROMOTION', { created_at: day(1), metadata: { season: 'autumn' } }),
    campaignEntry('camp_codes', 'Codes', 'DISCOUNT_COUPONS', {
      created_at: day(1),
      voucher: coupons,
      category_id: 'cat_a',
      metadata: { season: 'spring' },
    }),
    giftCampaign('camp_gifts', 'Gifts', { amount: 100 }, { created_at: day(2) }),
    campaignEntry('camp_mate', 'Mate', 'REFERRAL_PROGRAM', { created_at: day(3), voucher: coupons }),
    club,
  ],
  promotion_tiers: [
    {
      ...{ id: 'promo_1', name: 'One', campaign_id: 'camp_promo', hierarchy: 1, created_at: day(4) },
      ...{ action: { discount: off(20) }, category_id: 'cat_a', banner: 'Look', metadata: { place: 'door' } },
    },
    {
      ...{ id: 'promo_2', name: 'Two', campaign_id: 'camp_promo', hierarchy: 2, created_at: day(5) },
      action: { discount: off(30) },
    },
  ],
  vouchers: [
    { code: 'OPEN', ...coupons, category_id: 'cat_b', metadata: { print: 7 }, created_at: day(6) },
    {
      code: 'CODE',
      ...coupons,
      discount: undefined,
      campaign_id: 'camp_codes',
      holder_id: 'cust_ada',
      created_at: day(7),
    },
    { code: 'MATE-EVE', ...coupons, campaign_id: 'camp_mate', holder_id: 'cust_eve', created_at: day(8) },
    { code: 'MATE-ADA', ...coupons, campaign_id: 'camp_mate', holder_id: 'cust_ada', created_at: day(8) },
    giftVoucher('GIFT', { amount: 500 }, { campaign_id: 'camp_gifts', holder_id: 'cust_ada', created_at: day(9) }),
    {
      ...{ code: 'CARD', type: 'LOYALTY_CARD', loyalty_card: { points: 800, balance: 500 }, campaign_id: 'camp_club' },
      ...{ holder_id: 'cust_ada', created_at: day(10) },
    },
  ],
};

export async function openFair(): Promise<Record<string, string>> {
  const { credentials: headers } = await loadProject(fair);
  const body = { holders: [{ id: 'cust_ada' }] };
  const { status } = await caller(assignHolders)({ headers, params: { memberId: 'MATE-EVE' }, body });
  expect(status).toBe(200);
  return headers;
}

/** Returns a call that lists what Ada may use, unless the body names someone else. */
export function askingAda(headers: Record<string, string>) {
  const ask = asking(headers, { order: { amount: 10_000 }, customer: { source_id: 'ada' } });
  return async (body: object = {}, { options = {}, status = 200 } = {}) => {
    const reply = await ask({ options: { limit: 50, ...options }, ...body });
    expect([reply.status, reply.body.details ?? '']).toEqual([status, status === 200 ? '' : expect.any(String)]);
    return reply;
  };
}
