import { expect } from 'vitest';
import { handler as redeemablesHandler } from '../../functions/customers/list-customer-redeemables.ts';
import { handler as publishHandler } from '../../functions/publications/create-publication.ts';
import { handler as byQueryHandler } from '../../functions/publications/create-publication-by-query.ts';
import { handler as listHandler } from '../../functions/publications/list-publications.ts';
import { handler as ofVoucherHandler } from '../../functions/vouchers/list-voucher-publications.ts';
import { caller, lambdaContext, type Reply } from './call.ts';
import { standingClock, testDependencies } from './dependencies.ts';
import { campaignEntry, giftCampaign } from './lists.ts';
import { openShop } from './shop.ts';

const off = { type: 'PERCENT', percent_off: 10 };
const discount = { type: 'DISCOUNT_VOUCHER', discount: off };
const coupons = { campaign_type: 'DISCOUNT_COUPONS', join_once: false, voucher: discount };
const code = (campaign_id: string, name: string, more = {}) => ({
  code: name,
  campaign_id,
  ...discount,
  active: true,
  ...more,
});

export const pooled = (campaignId: string, codes: number, prefix = campaignId) =>
  Array.from({ length: codes }, (_, index) => code(campaignId, `${prefix}-${index}`));

/** Campaigns of each kind, with some codes each. */
export const fair = {
  customers: [{ id: 'cust_ada', source_id: 'ada', name: 'Ada', email: 'ada@mail.example' }, { id: 'cust_bob' }],
  campaigns: [
    { id: 'camp_few', name: 'Few', type: 'STATIC', ...coupons },
    { id: 'camp_pool', name: 'Pool', type: 'STATIC', ...coupons },
    { id: 'camp_once', name: 'Once', type: 'AUTO_UPDATE', ...coupons, join_once: true },
    {
      id: 'camp_short',
      name: 'Short',
      type: 'AUTO_UPDATE',
      ...coupons,
      active: false,
      activity_duration_after_publishing: 'P7D',
      expiration_date: '2026-06-16T00:00:00Z',
    },
    { id: 'camp_tiers', name: 'Tiers', campaign_type: 'PROMOTION', type: 'AUTO_UPDATE' },
    giftCampaign(
      'camp_gift',
      'Gift',
      { amount: 500, effect: 'APPLY_TO_ORDER' },
      { type: 'AUTO_UPDATE', join_once: false },
    ),
    campaignEntry('camp_club', 'Club', 'LOYALTY_PROGRAM', {
      type: 'AUTO_UPDATE',
      voucher: { type: 'LOYALTY_CARD', loyalty_card: { points: 40 } },
    }),
    campaignEntry('camp_mate', 'Mate', 'REFERRAL_PROGRAM', {
      type: 'AUTO_UPDATE',
      join_once: false,
      voucher: { ...discount, is_referral_code: true },
    }),
  ],
  loyalty_tiers: [{ id: 'ltr_one', name: 'One', campaign_id: 'camp_club', points: { from: 10 } }],
  vouchers: [
    code('camp_few', 'FEW-1'),
    code('camp_few', 'FEW-OFF', { active: false }),
    code('camp_few', 'FEW-HELD', { holder_id: 'cust_bob' }),
    code('camp_once', 'ONCE-1'),
    code('camp_once', 'ONCE-2'),
    ...pooled('camp_pool', 12, 'POOL'),
    { code: 'CARD', campaign_id: 'camp_club', type: 'LOYALTY_CARD', loyalty_card: { points: 15 }, active: true },
    { code: 'ALONE', ...discount, active: true },
  ],
};

const crowdedInMs = 300_000;

/** Loads a project with the fair, and returns its calls. */
export async function openFair(lists: Record<string, unknown> = fair) {
  const clock = standingClock();
  // Fifty simultaneous calls on a busy machine last longer than callers wait and functions may run.
  const dependencies = testDependencies({ clock, patienceInMs: crowdedInMs });
  const shop = await openShop(dependencies, lists);
  const headers = shop.project.credentials;
  const publish = caller(publishHandler, dependencies, lambdaContext(2 * crowdedInMs));
  const byQuery = caller(byQueryHandler, dependencies);
  const list = caller(listHandler, dependencies);
  const ofVoucher = caller(ofVoucherHandler, dependencies);
  const wallet = caller(redeemablesHandler, dependencies);
  return {
    ...shop,
    clock,
    dependencies,
    publish: (body: unknown, query = '') => publish({ headers, body, query }),
    byQuery: (query: string) => byQuery({ headers, query }),
    list: async (query = '') => (await list({ headers, query })).body,
    refusedList: (query: string) => list({ headers, query }),
    ofVoucher: (code: string) => ofVoucher({ headers, params: { code } }),
    wallet: async (customerId: string, query = 'limit=100') =>
      (await wallet({ headers, params: { customerId }, query })).body,
  };
}

export type Fair = Awaited<ReturnType<typeof openFair>>;

export function published({ status, body }: Reply) {
  expect(body).toMatchObject({ object: 'publication' });
  expect(status).toBe(200);
  return body;
}

export const expectRefused = (reply: Reply, key: string) => expect(reply.body).toMatchObject({ code: 400, key });
