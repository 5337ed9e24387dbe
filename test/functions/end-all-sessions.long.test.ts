import { describe, expect, test } from 'vitest';
import { handler as disableCampaign } from '../../functions/campaigns/disable-campaign.ts';
import { handler as enableCampaign } from '../../functions/campaigns/enable-campaign.ts';
import { handler as endOfCampaign } from '../../functions/campaigns/end-campaign-sessions.ts';
import { handler as endOfTier } from '../../functions/promotions/end-promotion-tier-sessions.ts';
import { handler as qualifyHandler } from '../../functions/qualifications/qualify.ts';
import { handler as redeemHandler } from '../../functions/redemptions/redeem-redeemables.ts';
import { handler as validateHandler } from '../../functions/validations/validate-redeemables.ts';
import { handler as endOne } from '../../functions/vouchers/end-voucher-session.ts';
import { handler as endOfVoucher } from '../../functions/vouchers/end-voucher-sessions.ts';
import { handler as getVoucher } from '../../functions/vouchers/get-voucher.ts';
import { caller } from '../support/call.ts';
import { newClient, testDependencies } from '../support/dependencies.ts';
import { coupon, validationRule } from '../support/lists.ts';
import { credentialsOf, loadFile, projectFile } from '../support/project.ts';

const off = { type: 'AMOUNT', amount_off: 100, effect: 'APPLY_TO_ORDER' };
const limited = (id: string, name: string, most: number) =>
  validationRule(id, id, { name, conditions: { $less_than: [most + 1] } });
const assigned = (rule_id: string, related_object_type: string, related_object_id: string) => ({
  ...{ id: `asgm_${rule_id}`, rule_id, related_object_type, related_object_id },
});

async function shop() {
  const file = projectFile({
    campaigns: [
      { id: 'camp_tiers', name: 'Tiers', campaign_type: 'PROMOTION', type: 'STATIC' },
      { id: 'camp_budget', name: 'Budget', campaign_type: 'PROMOTION', type: 'STATIC' },
      { id: 'camp_codes', name: 'Codes', campaign_type: 'DISCOUNT_COUPONS', type: 'STATIC' },
      { id: 'camp_cards', name: 'Cards', campaign_type: 'GIFT_VOUCHERS', type: 'STATIC' },
    ],
    promotion_tiers: [
      { id: 'promo_daily', name: 'Daily', hierarchy: 1, campaign_id: 'camp_tiers', action: { discount: off } },
      { id: 'promo_person', name: 'Person', hierarchy: 2, campaign_id: 'camp_tiers', action: { discount: off } },
      { id: 'promo_budget', name: 'Budget', hierarchy: 1, campaign_id: 'camp_budget', action: { discount: off } },
    ],
    validation_rules: [
      limited('val_daily', 'redemption.count.daily', 1),
      limited('val_person', 'redemption.count.per_customer', 1),
      limited('val_budget', 'campaign.redemptions.count', 1),
    ],
    validation_rules_assignments: [
      assigned('val_daily', 'promotion_tier', 'promo_daily'),
      assigned('val_person', 'promotion_tier', 'promo_person'),
      assigned('val_budget', 'campaign', 'camp_budget'),
    ],
    customers: [{ id: 'cust_ada', source_id: 'ada' }],
    vouchers: [
      { code: 'ONE', type: 'DISCOUNT_VOUCHER', active: true, discount: off, redemption: { quantity: 1 } },
      coupon('CODE', off, { active: true, campaign_id: 'camp_codes', redemption: { quantity: 1 } }),
      coupon('MANY', off, { active: true, campaign_id: 'camp_codes', redemption: { quantity: 11 } }),
      {
        ...{ code: 'CARD', type: 'GIFT_VOUCHER', active: true, campaign_id: 'camp_cards' },
        holder_id: 'cust_ada',
        gift: { amount: 500, effect: 'APPLY_TO_ORDER' },
      },
    ],
  });
  await loadFile(file);
  const headers = credentialsOf(file);
  const dependencies = { ...testDependencies(), dynamodb: newClient() };
  const bodyOf = (id: string, key?: string) => ({
    redeemables: [
      {
        object: id.startsWith('promo_') ? 'promotion_tier' : 'voucher',
        id,
        ...(id === 'CARD' ? { gift: { credits: 300 } } : {}),
      },
    ],
    order: { amount: 1_000 },
    customer: { source_id: 'ada' },
    ...(key ? { session: { type: 'LOCK', key } } : {}),
  });
  const call = (handler: typeof validateHandler) => (id: string, key?: string) =>
    caller(handler, dependencies)({ headers, body: bodyOf(id, key) });
  const asked = call(validateHandler);
  return {
    dependencies,
    headers,
    file,
    balance: async (code: string) =>
      (await caller(getVoucher, dependencies)({ headers, params: { code } })).body.gift.balance,
    isValid: async (id: string, key?: string) => (await asked(id, key)).body.valid,
    redeem: call(redeemHandler),
    ofVoucher: (code: string) => caller(endOfVoucher, dependencies)({ headers, params: { code } }),
    ofTier: (promotionTierId: string) => caller(endOfTier, dependencies)({ headers, params: { promotionTierId } }),
    ofCampaign: (campaignId: string) => caller(endOfCampaign, dependencies)({ headers, params: { campaignId } }),
  };
}

type Shop = Awaited<ReturnType<typeof shop>>;

describe('all sessions end', () => {
  test.each<[string, string, (one: Shop) => Promise<{ status: number }>]>([
    ['of a code', 'ONE', ({ ofVoucher }) => ofVoucher('ONE')],
    ['of a code, by its campaign', 'CODE', ({ ofCampaign }) => ofCampaign('camp_codes')],
    ['of a gift card', 'CARD', ({ ofVoucher }) => ofVoucher('CARD')],
    ['of a gift card, by the name of its campaign', 'CARD', ({ ofCampaign }) => ofCampaign('Cards')],
    ['of a tier with a limit', 'promo_daily', ({ ofTier }) => ofTier('promo_daily')],
    ['of a tier with a limit for each customer', 'promo_person', ({ ofTier }) => ofTier('promo_person')],
    ['of such a tier, by its campaign', 'promo_person', ({ ofCampaign }) => ofCampaign('camp_tiers')],
    ['of the budget of a campaign', 'promo_budget', ({ ofCampaign }) => ofCampaign('camp_budget')],
  ])('%s', async (_, id, end) => {
    const one = await shop();
    expect(await one.isValid(id, 'a')).toBe(true);
    expect(await one.isValid(id, 'b')).toBe(false);
    const all = await Promise.all(Array.from({ length: 20 }, () => end(one)));
    expect(new Set(all.map(({ status }) => status))).toEqual(new Set([204]));
    // The next session receives the uses that the ended session kept.
    expect(await one.isValid(id, 'b')).toBe(true);
    const { status, body } = await one.redeem(id, 'a');
    expect([status, body.key ?? '']).toEqual([400, expect.stringMatching(/exceeded|violated/)]);
    expect((await one.redeem(id, 'b')).status).toBe(200);
    expect((await one.redeem(id)).status).toBe(400);
  });

  test('on a code of many uses, which frees the last use', async () => {
    const { isValid, redeem, ofCampaign } = await shop();
    for (let index = 0; index < 11; index++) expect(await isValid('MANY', `s${index}`)).toBe(true);
    expect((await redeem('MANY')).body.key).toBe('quantity_exceeded');
    await ofCampaign('camp_codes');
    const all = await Promise.all(Array.from({ length: 20 }, () => redeem('MANY')));
    expect(all.filter(({ status }) => status === 200)).toHaveLength(11);
  });

  test('on a campaign, and it stays so when it is disabled and enabled', async () => {
    const { isValid, ofCampaign, dependencies, headers } = await shop();
    await isValid('promo_budget', 'a');
    await ofCampaign('camp_budget');
    for (const handler of [disableCampaign, enableCampaign]) {
      await caller(handler, dependencies)({ headers, params: { campaignId: 'camp_budget' } });
    }
    expect(await isValid('promo_budget')).toBe(true);
  });

  test('except others of the same customer and session', async () => {
    const { isValid, ofTier, ofVoucher } = await shop();
    for (const id of ['promo_daily', 'promo_budget', 'ONE', 'CODE']) await isValid(id, 'a');
    await ofTier('promo_daily');
    await ofVoucher('ONE');
    expect(await isValid('promo_budget')).toBe(false);
    expect(await isValid('CODE')).toBe(false);
    expect(await isValid('ONE')).toBe(true);
  });
});

test('while sessions begin, and twenty at once take no more of a card than it has', async () => {
  const { redeem, isValid, ofVoucher, ofCampaign, balance } = await shop();
  await isValid('CARD', 'a');
  const replies = await Promise.all([
    ...Array.from({ length: 20 }, (_, index) => redeem('CARD', index % 2 ? `s${index}` : 'a')),
    ...Array.from({ length: 5 }, (_, index) => isValid('CARD', `s${index}`)),
    ofVoucher('CARD'),
    ofCampaign('camp_cards'),
  ]);
  // A session that began in the meantime may keep all redemptions out.
  const done = replies.filter((one) => typeof one === 'object' && one.status === 200).length;
  expect([0, 1]).toContain(done);
  expect(await balance('CARD')).toBe(500 - done * 300);
  await ofVoucher('CARD');
  expect((await redeem('CARD')).status).toBe(done ? 400 : 200);
  expect(await balance('CARD')).toBe(200);
});

test('for good: a project file that is loaded again restores none', async () => {
  const { isValid, ofVoucher, ofCampaign, ofTier, file } = await shop();
  for (const id of ['CARD', 'ONE', 'promo_daily', 'promo_budget']) expect(await isValid(id, 'a')).toBe(true);
  for (const ended of [ofVoucher('ONE'), ofTier('promo_daily'), ofCampaign('camp_budget'), ofCampaign('camp_cards')]) {
    expect((await ended).status).toBe(204);
  }
  await loadFile({ ...file, project: { ...file.project, name: 'Renamed' } });
  await loadFile({ ...file, campaigns: file.campaigns.map((one) => ({ ...one, description: 'Changed' })) });
  for (const id of ['CARD', 'ONE', 'promo_daily', 'promo_budget'])
    expect([id, await isValid(id, 'b')]).toEqual([id, true]);
});

test('and a session that its campaign has ended cannot be ended again', async () => {
  const { isValid, ofCampaign, dependencies, headers } = await shop();
  await isValid('CODE', 'a');
  await ofCampaign('camp_codes');
  const { status } = await caller(endOne, dependencies)({ headers, params: { code: 'CODE', sessionKey: 'a' } });
  expect(status).toBe(404);
});

test('and qualifications show the freed uses', async () => {
  const { isValid, ofCampaign, dependencies, headers } = await shop();
  const shown = async () => {
    const body = { order: { amount: 1_000 }, customer: { source_id: 'ada' }, scenario: 'CUSTOMER_WALLET' };
    const reply = await caller(qualifyHandler, dependencies)({ headers, body });
    expect(reply.status).toBe(200);
    return reply.body.redeemables.data.map(({ result }: { result: { gift: object } }) => result.gift);
  };
  await isValid('CARD', 'a');
  expect(await shown()).toEqual([{ balance: 200, credits: 200, locked_credits: 300 }]);
  await ofCampaign('camp_cards');
  expect(await shown()).toEqual([{ balance: 500, credits: 500 }]);
});

test('but a missing resource is a 404', async () => {
  const { ofVoucher, ofTier, ofCampaign } = await shop();
  expect(await ofVoucher('NONE')).toMatchObject({ status: 404, body: { resource_type: 'voucher' } });
  expect(await ofTier('promo_none')).toMatchObject({ status: 404, body: { resource_type: 'promotion_tier' } });
  expect(await ofCampaign('camp_none')).toMatchObject({ status: 404, body: { resource_type: 'campaign' } });
});
