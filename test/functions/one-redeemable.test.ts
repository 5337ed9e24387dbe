import { expect, test } from 'vitest';
import { handler as getTier } from '../../functions/promotions/get-promotion-tier.ts';
import { handler as redeemTier } from '../../functions/promotions/redeem-promotion-tier.ts';
import { handler as validateTier } from '../../functions/promotions/validate-promotion-tier.ts';
import { handler as validatePromotions } from '../../functions/promotions/validate-promotions.ts';
import { handler as redeemVoucher } from '../../functions/vouchers/redeem-voucher.ts';
import { handler as validateVoucher } from '../../functions/vouchers/validate-voucher.ts';
import { caller } from '../support/call.ts';
import { promotionTier, validationRule } from '../support/lists.ts';
import { loadProject } from '../support/project.ts';

const discount = { type: 'PERCENT', percent_off: 10, effect: 'APPLY_TO_ORDER' };
const tier = (id: string, hierarchy: number, more: Record<string, unknown> = {}) =>
  promotionTier({ id, name: id, campaign_id: 'camp_1', hierarchy, ...more }, discount);

async function shop() {
  const { credentials: headers } = await loadProject({
    campaigns: [{ id: 'camp_1', name: 'Spring', campaign_type: 'PROMOTION', type: 'STATIC' }],
    promotion_tiers: [
      tier('promo_2', 2),
      tier('promo_1', 1),
      tier('promo_off', 3, { active: false }),
      tier('promo_many', 4),
    ],
    validation_rules: [
      validationRule('val_1', 'Many', {
        name: 'order.amount',
        conditions: { $more_than: [5000] },
        error: { message: 'Take more' },
      }),
    ],
    validation_rules_assignments: [
      { rule_id: 'val_1', related_object_id: 'promo_many', related_object_type: 'promotion_tier' },
    ],
    customers: [{ id: 'cust_1', source_id: 'ada' }],
    vouchers: [
      { code: 'TEN', type: 'DISCOUNT_VOUCHER', discount, redemption: { quantity: 1, redeemed_quantity: 0 } },
      { code: 'GIFT', type: 'GIFT_VOUCHER', gift: { amount: 400, balance: 400 } },
    ],
  });
  const call =
    (handler: Parameters<typeof caller>[0]) => async (params: Record<string, string>, body?: Record<string, unknown>) =>
      caller(handler)({ headers, params, ...(body ? { body } : {}) });
  return { call };
}

const order = { amount: 1000 };

test('a voucher is validated and redeemed by its code once, and a refusal says why', async () => {
  const { call } = await shop();
  const [validate, redeem] = [call(validateVoucher), call(redeemVoucher)];
  const said = await validate({ code: 'TEN' }, { order, customer: { source_id: 'ada' } });
  expect([said.status, said.body]).toMatchObject([
    200,
    {
      valid: true,
      code: 'TEN',
      discount: { percent_off: 10 },
      order: { total_amount: 900 },
      tracking_id: expect.stringMatching(/^track_/),
    },
  ]);
  const done = await redeem({ code: 'TEN' }, { order, customer: { source_id: 'ada' } });
  expect([done.status, done.body]).toMatchObject([
    200,
    { result: 'SUCCESS', voucher: { code: 'TEN', redemption: { redeemed_quantity: 1 } }, order: { total_amount: 900 } },
  ]);
  const again = await redeem({ code: 'TEN' }, { order });
  expect([again.status, again.body.key, again.body.resource_type]).toEqual([400, 'quantity_exceeded', 'redemption']);
  expect((await validate({ code: 'TEN' }, { order })).body).toMatchObject({
    valid: false,
    reason: 'quantity exceeded',
    error: { key: 'quantity_exceeded', code: 400, details: 'TEN (used up: redeemed 1 of 1 times)' },
  });
  expect((await validate({ code: 'NONE' }, { order })).body).toMatchObject({
    valid: false,
    reason: 'voucher not found',
    error: { key: 'not_found', code: 404 },
  });
  expect((await redeem({ code: 'NONE' }, { order })).body).toMatchObject({ key: 'not_found', resource_id: 'NONE' });
});

test('a tracking id that a reply showed names the same person when it is sent back', async () => {
  const { call } = await shop();
  const validate = call(validateVoucher);
  const { tracking_id } = (await validate({ code: 'TEN' }, { order, customer: { source_id: 'ada' } })).body;
  expect((await validate({ code: 'TEN' }, { order, tracking_id })).body.tracking_id).toBe(tracking_id);
  expect((await validate({ code: 'TEN' }, { order, tracking_id: 'ada' })).body.tracking_id).toBe(tracking_id);
  const { body } = await call(redeemVoucher)({ code: 'TEN' }, { order, tracking_id });
  expect(body.tracking_id).toBe(tracking_id);
});

test('a voucher and a tier are validated and redeemed without a body, too', async () => {
  const { call } = await shop();
  for (const [ask, params] of [
    [validateVoucher, { code: 'TEN' }],
    [redeemVoucher, { code: 'TEN' }],
    [validateTier, { promotionTierId: 'promo_1' }],
    [redeemTier, { promotionTierId: 'promo_1' }],
  ] as const) {
    expect((await call(ask)(params, undefined)).status).toBe(200);
  }
  for (const nothing of [[], [{}], 5, null, true] as never[])
    expect((await call(validateVoucher)({ code: 'ALSO' }, nothing)).status).toBe(200);
  expect((await call(validatePromotions)({}, undefined)).body.promotions).toMatchObject([
    { id: 'promo_1' },
    { id: 'promo_2' },
  ]);
});

test('a gift card shows its balance, and the credits that are used', async () => {
  const { call } = await shop();
  const { body } = await call(validateVoucher)({ code: 'GIFT' }, { order, gift: { credits: 150 } });
  expect(body).toMatchObject({ valid: true, gift: { amount: 400, balance: 400, credits: 150 } });
  const done = await call(redeemVoucher)({ code: 'GIFT' }, { order, gift: { credits: 150 } });
  expect(done.body).toMatchObject({ amount: 150, gift: { amount: 150 }, voucher: { gift: { balance: 250 } } });
});

test('promotion tiers are validated each alone, and one is redeemed, which it counts', async () => {
  const { call } = await shop();
  const all = (await call(validatePromotions)({}, { order })).body;
  expect(all).toMatchObject({ valid: true, promotions: [{ id: 'promo_1' }, { id: 'promo_2' }] });
  expect(all.promotions[0]).toMatchObject({ hierarchy: 1, discount_amount: 100, order: { total_amount: 900 } });
  expect((await call(validateTier)({ promotionTierId: 'promo_off' }, { order })).body).toMatchObject({
    valid: false,
    error: { key: 'promotion_inactive' },
  });
  expect((await call(validateTier)({ promotionTierId: 'promo_many' }, { order })).body).toMatchObject({
    valid: false,
    reason: 'Take more',
    error: { message: 'Take more' },
  });
  expect((await call(validateTier)({ promotionTierId: 'promo_none' }, { order })).body.key).toBe('not_found');
  const done = await call(redeemTier)({ promotionTierId: 'promo_1' }, { order, customer: { id: 'cust_1' } });
  expect(done.body).toMatchObject({ related_object_type: 'promotion_tier', promotion_tier: { id: 'promo_1' } });
  expect((await call(getTier)({ promotionTierId: 'promo_1' })).body.summary).toEqual({
    redemptions: { total_redeemed: 1 },
    orders: { total_amount: 1000, total_discount_amount: 100 },
  });
  const refused = await call(redeemTier)({ promotionTierId: 'promo_many' }, { order });
  expect([refused.status, refused.body]).toMatchObject([
    400,
    { key: 'order_rules_violated', error: { message: 'Take more' }, redeemable_id: 'promo_many' },
  ]);
});
