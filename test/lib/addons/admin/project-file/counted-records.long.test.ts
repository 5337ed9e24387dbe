import { describe, expect, test } from 'vitest';
import { loadProjectFile } from '#addons/admin/project-file/load.ts';
import { handler as redeemHandler } from '../../../../../functions/redemptions/redeem-redeemables.ts';
import { handler as rollBackHandler } from '../../../../../functions/redemptions/rollback-redemption.ts';
import { handler as validateHandler } from '../../../../../functions/validations/validate-redeemables.ts';
import { caller } from '../../../../support/call.ts';
import { testDependencies, testTime } from '../../../../support/dependencies.ts';
import {
  assignedRule,
  couponCampaign,
  giftCampaign,
  promotionTier,
  validationRule,
} from '../../../../support/lists.ts';
import { credentialsOf, projectFile, withFile } from '../../../../support/project.ts';

/** Records that a file brings count for every limit, as if they had been redeemed here. */

const date = new Date(testTime.getTime() - 60_000).toISOString();
const created_at = '2026-01-01T00:00:00.000Z';
const tenOff = { type: 'AMOUNT', amount_off: 1_000, effect: 'APPLY_TO_ORDER' };

const limitedTo = (name: string, most: number) =>
  validationRule('val_limit', name, { name, conditions: { $less_than_or_equal: [most] } });

const used = { redemption: { quantity: null, redeemed_quantity: 1 } };

function shop(name: string, most: number) {
  return projectFile({
    campaigns: [
      couponCampaign('camp_sale', 'Sale', tenOff, { created_at }),
      giftCampaign('camp_gift', 'Gift', { amount: 5_000 }, { created_at }),
      { id: 'camp_tiers', name: 'Tiers', campaign_type: 'PROMOTION', type: 'STATIC', created_at },
    ],
    promotion_tiers: [promotionTier({ id: 'promo_1', name: 'T', campaign_id: 'camp_tiers', hierarchy: 1 }, tenOff)],
    customers: [
      { id: 'cust_ana', source_id: 'ana' },
      { id: 'cust_bo', source_id: 'bo' },
    ],
    vouchers: [
      { code: 'COUPON', type: 'DISCOUNT_VOUCHER', campaign_id: 'camp_sale', created_at, ...used },
      {
        ...{ code: 'CARD', type: 'GIFT_VOUCHER', campaign_id: 'camp_gift', created_at },
        gift: { amount: 5_000, balance: 4_000 },
        redemption: { quantity: null, redeemed_quantity: 1, redeemed_amount: 1_000 },
      },
    ],
    validation_rules: [limitedTo(name, most)],
    validation_rules_assignments: [
      assignedRule('val_limit', 'voucher', 'COUPON'),
      assignedRule('val_limit', 'voucher', 'CARD'),
      assignedRule('val_limit', 'promotion_tier', 'promo_1'),
    ].map((one, index) => ({ ...one, id: `asgm_${index}`, created_at })),
    redemptions: [
      { id: 'r_coupon', voucher_code: 'COUPON', campaign_id: 'camp_sale', campaign: 'Sale', order: order('ord_1') },
      { id: 'r_card', voucher_code: 'CARD', campaign_id: 'camp_gift', campaign: 'Gift', gift_credits: 1_000 },
      {
        id: 'r_tier',
        promotion_tier_id: 'promo_1',
        campaign_id: 'camp_tiers',
        campaign: 'Tiers',
        order: order('ord_2'),
      },
    ].map((one) => ({ date, result: 'SUCCESS', customer_id: 'cust_ana', ...one })) as object[],
  });
}

const order = (id: string) => ({
  id,
  amount: 10_000,
  total_amount: 9_000,
  total_discount_amount: 1_000,
  total_applied_discount_amount: 1_000,
});

const coupon = { object: 'voucher', id: 'COUPON' };
const card = { object: 'voucher', id: 'CARD', gift: { credits: 1_000 } };
const tier = { object: 'promotion_tier', id: 'promo_1' };

function follow(file: object) {
  const { dynamodb, tableName } = testDependencies();
  return withFile(file, (path) =>
    loadProjectFile(path, { dynamodb, tableName, now: testTime, follows: true, unlessLoaded: true }),
  );
}

const bodyOf = (redeemable: object, customer: string) => ({
  redeemables: [redeemable],
  customer: { id: customer },
  order: { amount: 10_000 },
});

async function isValid(headers: Record<string, string>, redeemable: object, customer: string): Promise<boolean> {
  const { status, body } = await caller(validateHandler)({ headers, body: bodyOf(redeemable, customer) });
  expect([status, body]).toEqual([200, expect.anything()]);
  return body.valid;
}

describe.each([
  // The figure that one record adds is the limit, so that another redemption exceeds it.
  ['redemption.count.per_customer', 1, [coupon, card, tier], 'cust_bo'],
  ['redemption.count.per_customer.daily', 1, [coupon, card, tier], 'cust_bo'],
  ['redemption.count.per_customer.weekly', 1, [coupon, card, tier], 'cust_bo'],
  ['redemption.count.per_customer.monthly', 1, [coupon, card, tier], 'cust_bo'],
  ['redemption.count.daily', 1, [coupon, card, tier], undefined],
  ['redemption.count.weekly', 1, [coupon, card, tier], undefined],
  ['redemption.count.monthly', 1, [coupon, card, tier], undefined],
  ['campaign.redemptions.count', 1, [coupon, card, tier], undefined],
  ['campaign.redemptions.count.daily', 1, [coupon, card, tier], undefined],
  ['campaign.redemptions.customers_count', 1, [coupon, card, tier], 'cust_bo'],
  ['campaign.redemptions.customers_count.monthly', 1, [coupon, card, tier], 'cust_bo'],
  ['campaign.orders.amount', 10_000, [coupon, tier], undefined],
  ['campaign.orders.amount_discounted', 1_000, [coupon, tier], undefined],
  ['redemption.gift.amount', 1_000, [card], undefined],
] as const)('%s', (name, most, redeemables, free) => {
  test('counts the records of a file once, also records of a later file', async () => {
    const file = shop(name, most);
    const headers = credentialsOf(file);
    const { redemptions } = file;
    await follow({ ...file, redemptions: [] });
    for (const one of redeemables) expect([one, await isValid(headers, one, 'cust_ana')]).toEqual([one, true]);
    await follow(file);
    for (const one of redeemables) {
      expect([one, await isValid(headers, one, 'cust_ana')]).toEqual([one, false]);
      if (free) expect([one, await isValid(headers, one, free)]).toEqual([one, true]);
    }
    const raised = { ...file, validation_rules: [limitedTo(name, 2 * most)] };
    await follow({ ...raised, redemptions });
    for (const one of redeemables) expect([one, await isValid(headers, one, 'cust_ana')]).toEqual([one, true]);
  });

  test('no longer counts a record that is rolled back here, or in a later file', async () => {
    const file = shop(name, most);
    const headers = credentialsOf(file);
    await follow(file);
    for (const one of redeemables) expect([one, await isValid(headers, one, 'cust_ana')]).toEqual([one, false]);
    const rolledBack = file.redemptions.map((one) => ({ ...one, status: 'ROLLED_BACK' }));
    await follow({ ...file, redemptions: rolledBack });
    for (const one of redeemables) {
      expect([one, await isValid(headers, one, 'cust_ana')]).toEqual([one, true]);
      const redeemed = await caller(redeemHandler)({ headers, body: bodyOf(one, 'cust_ana') });
      expect([one, redeemed.status]).toEqual([one, 200]);
      expect([one, await isValid(headers, one, 'cust_ana')]).toEqual([one, false]);
      const params = { redemptionId: redeemed.body.redemptions[0].id };
      expect(await caller(rollBackHandler)({ headers, params, body: {} })).toMatchObject({ status: 200 });
      expect([one, await isValid(headers, one, 'cust_ana')]).toEqual([one, true]);
    }
  });

  test('is lowered by the rollback of a record here', async () => {
    const file = shop(name, most);
    const headers = credentialsOf(file);
    await follow(file);
    for (const one of redeemables) expect([one, await isValid(headers, one, 'cust_ana')]).toEqual([one, false]);
    for (const [one, id] of [
      [coupon, 'r_coupon'],
      [card, 'r_card'],
      [tier, 'r_tier'],
    ] as const) {
      if (!redeemables.some((other) => other === one)) continue;
      const rolledBack = await caller(rollBackHandler)({ headers, params: { redemptionId: id }, body: {} });
      expect([one, rolledBack.status]).toEqual([one, 200]);
      expect([one, await isValid(headers, one, 'cust_ana')]).toEqual([one, true]);
    }
  });
});
