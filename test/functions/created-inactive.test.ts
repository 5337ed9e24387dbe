import { expect, test } from 'vitest';
import { handler as addNamed } from '../../functions/campaigns/add-voucher-with-code.ts';
import { handler as addVouchers } from '../../functions/campaigns/add-vouchers.ts';
import { handler as createCampaign } from '../../functions/campaigns/create-campaign.ts';
import { handler as getCampaign } from '../../functions/campaigns/get-campaign.ts';
import { handler as createRules } from '../../functions/loyalties/create-earning-rules.ts';
import { handler as createProgramme } from '../../functions/loyalties/create-loyalty-campaign.ts';
import { handler as createTier } from '../../functions/promotions/create-promotion-tier.ts';
import { handler as redeem } from '../../functions/redemptions/redeem-redeemables.ts';
import { handler as createVoucher } from '../../functions/vouchers/create-voucher.ts';
import { handler as createNamed } from '../../functions/vouchers/create-voucher-with-code.ts';
import { handler as getVoucher } from '../../functions/vouchers/get-voucher.ts';
import { caller } from '../support/call.ts';
import { testDependencies } from '../support/dependencies.ts';
import { couponCampaign } from '../support/lists.ts';
import { programme } from '../support/loyalty.ts';
import { itemsOf, runOutbox } from '../support/outbox.ts';
import { loadProject } from '../support/project.ts';

/** `active: false` in a body that creates something. */

const dependencies = testDependencies();
const discount = { type: 'PERCENT', percent_off: 5 };
const inactive = { active: false };

const file = {
  campaigns: [
    couponCampaign('camp_coupons', 'Coupons', discount, { type: 'AUTO_UPDATE' }),
    { id: 'camp_tiers', name: 'Tiers', campaign_type: 'PROMOTION', type: 'STATIC' },
    programme('camp_club', { name: 'Club', type: 'AUTO_UPDATE' }),
  ],
  event_schema: [{ name: 'visited', metadata: {} }],
};

async function openProject() {
  const project = await loadProject(file);
  const headers = project.credentials;
  const call = async (
    handler: Parameters<typeof caller>[0],
    sent: { params?: Record<string, string>; query?: string; body?: unknown },
  ) => {
    const { status, body } = await caller(handler, dependencies)({ headers, ...sent });
    expect([200, 202], JSON.stringify(body)).toContain(status);
    return body;
  };
  return {
    id: project.id,
    call,
    redeem: (code: string) =>
      caller(redeem, dependencies)({ headers, body: { redeemables: [{ object: 'voucher', id: code }] } }),
  };
}

const coupons = { campaignId: 'camp_coupons' };

test.each([
  ['with a code in its body', createVoucher, {}, { code: 'OFF', type: 'DISCOUNT_VOUCHER', discount }],
  ['with the code of its path', createNamed, { code: 'OFF' }, { type: 'DISCOUNT_VOUCHER', discount }],
  ['of a campaign, with a code', addNamed, { ...coupons, code: 'OFF' }, {}],
  ['of a campaign, with a drawn code', addVouchers, coupons, {}],
])('a voucher %s is created inactive, and is not redeemed', async (_, handler, params, body) => {
  const { call, redeem } = await openProject();
  const made = await call(handler, { params, body: { ...body, ...inactive } });
  expect(made.active).toBe(false);
  expect((await call(getVoucher, { params: { code: made.code } })).active).toBe(false);
  expect(await redeem(made.code)).toMatchObject({ status: 400, body: { key: 'voucher_disabled' } });
});

test('generated vouchers are inactive if the body says so, and active otherwise', async () => {
  const { id, call } = await openProject();
  for (const body of [inactive, {}]) {
    await call(addVouchers, { params: coupons, query: 'vouchers_count=3', body });
    await runOutbox(id, dependencies);
  }
  const made = await itemsOf(id, 'VOUCHER');
  expect(made.map(({ active }) => active).sort()).toEqual([false, false, false, true, true, true]);
});

test.each([
  ['coupons', createCampaign, { voucher: { discount }, vouchers_count: 1 }],
  ['gift vouchers', createCampaign, { voucher: { type: 'GIFT_VOUCHER', gift: { amount: 100 } }, vouchers_count: 1 }],
  ['one voucher', createCampaign, { type: 'STANDALONE', vouchers_count: 1, voucher: { discount } }],
  [
    'a programme',
    createProgramme,
    { name: 'Crew', vouchers_count: 1, voucher: { type: 'LOYALTY_CARD', loyalty_card: { points: 1 } } },
  ],
])(
  'a campaign of %s is created inactive, and its vouchers, themselves active, are not redeemed',
  async (_, handler, body) => {
    const { id, call, redeem } = await openProject();
    const made = await call(handler, { body: { ...body, ...inactive } });
    expect(made.active).toBe(false);
    await runOutbox(id, dependencies);
    expect((await call(getCampaign, { params: { campaignId: made.id } })).active).toBe(false);
    const [voucher] = (await itemsOf(id, 'VOUCHER')).filter(({ campaign_id }) => campaign_id === made.id);
    expect(voucher?.active).toBe(true);
    expect(await redeem(String(voucher?.code))).toMatchObject({ status: 400, body: { key: 'campaign_not_active' } });
  },
);

test('a promotion, its tiers and an added tier are created inactive', async () => {
  const { call } = await openProject();
  const action = { discount };
  const sent = {
    campaign_type: 'PROMOTION',
    ...inactive,
    promotion: { tiers: [{ name: 'One', action, ...inactive }] },
  };
  const made = await call(createCampaign, { body: { name: 'Sale', ...sent } });
  expect(made).toMatchObject({ active: false, promotion: { tiers: [{ active: false }] } });
  const added = await call(createTier, {
    params: { campaignId: 'camp_tiers' },
    body: { name: 'Two', action, ...inactive },
  });
  expect(added.active).toBe(false);
});

test('an earning rule is created inactive', async () => {
  const { call } = await openProject();
  const rule = { event: 'visited', loyalty: { type: 'FIXED', points: 5 }, ...inactive };
  expect(await call(createRules, { params: { campaignId: 'camp_club' }, body: [rule] })).toMatchObject([inactive]);
});
