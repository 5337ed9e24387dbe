import { handler as summaryHandler } from '../../functions/campaigns/get-campaign-summary.ts';
import { handler as redeemHere } from '../../functions/client/redeem-from-page.ts';
import { handler as redeemHandler } from '../../functions/redemptions/redeem-redeemables.ts';
import { handler as rollbackHandler } from '../../functions/redemptions/rollback-redemption.ts';
import { handler as assignHandler } from '../../functions/referrals/assign-holders.ts';
import { handler as redeemVoucherHandler } from '../../functions/vouchers/redeem-voucher.ts';
import { caller } from './call.ts';
import { testDependencies } from './dependencies.ts';
import { campaignEntry, giftVoucher } from './lists.ts';
import { card, programme } from './loyalty.ts';
import { openShop } from './shop.ts';

/** Referral programmes that convert by a redemption, one for each way to reward. Each has a code `BY-<name>` of Ada. */

const discount = { type: 'AMOUNT', amount_off: 100 };

const referring = (name: string, type: string, parent: string, amount: number, by: object = {}) =>
  campaignEntry(`camp_by_${name}`, `By ${name}`, 'REFERRAL_PROGRAM', {
    type: 'AUTO_UPDATE',
    voucher: { type: 'DISCOUNT_VOUCHER', discount, is_referral_code: true },
    referral_program: {
      conversion_event_type: 'redemption',
      ...by,
      referee_reward: { type, amount, related_object_parent: { id: `camp_${parent}`, object: 'campaign' } },
    },
  });

const most = Number.MAX_SAFE_INTEGER;

const programmes = [
  referring('points', 'LOYALTY_CARD', 'crew', 50),
  referring('more', 'LOYALTY_CARD', 'crew', 5),
  referring('gifts', 'GIFT_VOUCHER', 'gifts', 700),
  referring('extra', 'GIFT_VOUCHER', 'gifts', 30),
  referring('over', 'LOYALTY_CARD', 'over', 50),
  referring('wrong', 'GIFT_VOUCHER', 'crew', 50),
  referring('nowhere', 'LOYALTY_CARD', 'gone', 50),
  referring('lots', 'LOYALTY_CARD', 'crew', most),
  referring('event', 'LOYALTY_CARD', 'crew', 50, {
    conversion_event_type: 'custom_event',
    custom_event: { name: 'in' },
  }),
  referring('anything', 'LOYALTY_CARD', 'crew', 50, { conversion_event_type: null }),
  referring('mutual', 'LOYALTY_CARD', 'crew', 50, {
    referrer_reward: {
      type: 'GIFT_VOUCHER',
      amount: 200,
      related_object_parent: { id: 'camp_gifts', object: 'campaign' },
    },
  }),
  referring('thanks', 'LOYALTY_CARD', 'crew', 1, {
    referrer_reward: {
      type: 'LOYALTY_CARD',
      amount: 30,
      related_object_parent: { id: 'camp_crew', object: 'campaign' },
    },
  }),
];

export const referral = {
  customers: ['ada', 'bob', 'cleo'].map((name) => ({ id: `cust_${name}`, source_id: name })),
  campaigns: [
    programme('camp_crew', { name: 'Crew', type: 'AUTO_UPDATE' }),
    programme('camp_over', { type: 'AUTO_UPDATE', expiration_date: '2026-01-01T00:00:00Z' }),
    { id: 'camp_gifts', name: 'Gifts', campaign_type: 'GIFT_VOUCHERS', type: 'AUTO_UPDATE' },
    ...programmes,
  ],
  vouchers: [
    card('BOBS', 100, { campaign_id: 'camp_crew', holder_id: 'cust_bob' }),
    giftVoucher('BOBS-GIFT', { amount: 1000, balance: 300 }, { campaign_id: 'camp_gifts', holder_id: 'cust_bob' }),
    ...programmes.map(({ id, name }) => ({
      ...{ code: name.replace('By ', 'BY-'), type: 'DISCOUNT_VOUCHER', campaign_id: id, holder_id: 'cust_ada' },
    })),
    { code: 'TEN', type: 'DISCOUNT_VOUCHER', discount },
  ],
};

export const codes = (...all: string[]) => all.map((id) => ({ object: 'voucher', id }));

/** Opens a shop with these programmes and further lists. */
export async function openReferring(more: Record<string, unknown> = {}) {
  const dependencies = testDependencies();
  const shop = await openShop(dependencies, { ...referral, ...more });
  const headers = shop.project.credentials;
  const call = (handler: Parameters<typeof caller>[0]) => caller(handler, dependencies);
  return {
    ...shop,
    redeem: (body: object) => call(redeemHandler)({ headers, body }),
    redeemVoucher: (code: string, body: object) => call(redeemVoucherHandler)({ headers, params: { code }, body }),
    redeemFromPage: (body: object, page: Record<string, string>) => call(redeemHere)({ headers: page, body }),
    rollBack: (redemptionId: string) => call(rollbackHandler)({ headers, params: { redemptionId } }),
    assign: (memberId: string, source_id: string) =>
      call(assignHandler)({ headers, params: { memberId }, body: { holders: [{ source_id }] } }),
    referralsOf: async (id: string) => (await shop.customer(id)).referrals,
    referredBy: async (id: string) => (await shop.customer(id)).loyalty.referred_customers,
    summary: async (campaignId: string) => (await call(summaryHandler)({ headers, params: { campaignId } })).body,
  };
}
