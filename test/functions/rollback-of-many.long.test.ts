import { expect, test } from 'vitest';
import { handler as getTier } from '../../functions/promotions/get-promotion-tier.ts';
import { handler as getRedemption } from '../../functions/redemptions/get-redemption.ts';
import { handler as redeem } from '../../functions/redemptions/redeem-redeemables.ts';
import { handler as rollBackAll } from '../../functions/redemptions/rollback-redemptions.ts';
import { handler as validate } from '../../functions/validations/validate-redeemables.ts';
import { caller } from '../support/call.ts';
import { testDependencies } from '../support/dependencies.ts';
import { card, programme } from '../support/loyalty.ts';
import { openShop } from '../support/shop.ts';

const numbers = Array.from({ length: 30 }, (_, index) => index);
const discount = { type: 'AMOUNT', amount_off: 1, effect: 'APPLY_TO_ORDER' };
const atMost = { conditions: { $less_than_or_equal: [1_000] } };
const tierOf = (kind: string, index: number) => ({
  ...{ id: `promo_${kind}_${index}`, name: `${kind} ${index}`, campaign_id: 'camp_tiers', active: true },
  ...{ hierarchy: index + 1, action: { discount } },
});

const lists = {
  customers: [{ id: 'cust_ada', source_id: 'ada' }],
  stacking_rules: [{ applicable_redeemables_limit: 30, applicable_redeemables_per_category_limit: null }],
  campaigns: [
    { id: 'camp_tiers', name: 'Tiers', campaign_type: 'PROMOTION', type: 'AUTO_UPDATE' },
    programme('camp_club'),
  ],
  rewards: [
    { id: 'rew_coin', name: 'Coins', type: 'COIN', parameters: { coin: { exchange_ratio: 0.01, points_ratio: 1 } } },
  ],
  reward_assignments: [
    { id: 'rewa_1', reward_id: 'rew_coin', related_object_type: 'campaign', related_object_id: 'camp_club' },
  ],
  promotion_tiers: numbers.flatMap((index) => ['free', 'counted'].map((kind) => tierOf(kind, index))),
  validation_rules: [
    {
      ...{ id: 'val_counted', name: 'Counted' },
      rules: {
        1: { name: 'redemption.count.per_customer', ...atMost },
        2: { name: 'redemption.count.daily', ...atMost },
      },
    },
  ],
  validation_rules_assignments: numbers.map((index) => ({
    ...{ id: `asgm_${index}`, rule_id: 'val_counted' },
    ...{ related_object_type: 'promotion_tier', related_object_id: `promo_counted_${index}` },
  })),
  vouchers: numbers.flatMap((index) => [
    { code: `GIFT-${index}`, type: 'GIFT_VOUCHER', gift: { amount: 100 } },
    card(`CARD-${index}`, 100, { holder_id: 'cust_ada' }),
  ]),
};

const points = (index: number) => ({
  ...{ object: 'voucher', id: `CARD-${index}` },
  reward: { id: 'rew_coin', points: 1 },
});
const gift = (index: number) => ({ object: 'voucher', id: `GIFT-${index}`, gift: { credits: 1 } });
const tier = (kind: string) => (index: number) => ({ object: 'promotion_tier', id: `promo_${kind}_${index}` });

test.each([
  ['tiers without limits', tier('free'), 'ada'],
  ['gift cards without a holder', gift, undefined],
  ['gift cards of a customer', gift, 'ada'],
  ['loyalty cards', points, 'ada'],
  ['tiers with counting rules', tier('counted'), 'ada'],
])('thirty %s are validated, redeemed at once and rolled back at once', async (_, redeemable, person) => {
  const dependencies = testDependencies({ patienceInMs: 60_000 });
  const shop = await openShop(dependencies, lists);
  const { credentials: headers } = shop.project;
  const redeemables = numbers.map(redeemable);
  const customer = person === undefined ? {} : { customer: { source_id: person } };
  const body = { redeemables, ...customer, order: { amount: 100_000 } };
  const used = async () => {
    const tiers = ['promo_free_29', 'promo_counted_29'].map((promotionTierId) =>
      caller(getTier)({ headers, params: { promotionTierId } }),
    );
    const redeemed = (await Promise.all(tiers)).map(({ body: shown }) => shown.summary.redemptions.total_redeemed);
    const codes = await Promise.all(['GIFT-29', 'CARD-29'].map((code) => shop.voucher(code)));
    return [...redeemed, ...codes.map(({ redemption }) => redemption.redeemed_quantity)];
  };
  const validated = await caller(validate, dependencies)({ headers, body });
  expect([validated.status, validated.body.valid, validated.body.redeemables?.length]).toEqual([200, true, 30]);
  const done = await caller(redeem, dependencies)({ headers, body });
  expect([done.status, done.body.details, done.body.redemptions?.length]).toEqual([200, undefined, 30]);
  expect((await used()).reduce((sum, one) => sum + one, 0)).toBe(1);
  const params = (redemptionId: string) => ({ headers, params: { redemptionId } });
  const ids = done.body.redemptions.map(({ id }: { id: string }) => id);
  const kept = await Promise.all(ids.map((id: string) => caller(getRedemption)(params(id))));
  expect(kept.map(({ status, body: shown }) => [status, shown.status])).toEqual(ids.map(() => [200, 'SUCCEEDED']));
  const rolledBack = await caller(rollBackAll, dependencies)(params(done.body.parent_redemption.id));
  expect([rolledBack.status, rolledBack.body.details]).toEqual([200, undefined]);
  expect(rolledBack.body.rollbacks).toHaveLength(30);
  expect(await used()).toEqual([0, 0, 0, 0]);
  const after = await Promise.all(ids.map((id: string) => caller(getRedemption)(params(id))));
  expect(after.map(({ body: shown }) => shown.status)).toEqual(ids.map(() => 'ROLLED_BACK'));
});

test.each([
  ['lines with much metadata', 400, 520],
  ['lines that fit', 100, 520],
])('an order of %s is too large for both, or for neither', async (_, lines, bytes) => {
  const shop = await openShop(undefined, lists);
  const { credentials: headers } = shop.project;
  const items = Array.from({ length: lines }, (__, index) => ({
    ...{ source_id: `line-${index}`, quantity: 1, price: 100 },
    metadata: { note: 'x'.repeat(bytes - 11) },
  }));
  const body = { redeemables: [gift(0)], order: { items } };
  const isLarge = lines * bytes > 200 * 1024;
  for (const handler of [validate, redeem]) {
    const reply = await caller(handler)({ headers, body });
    expect([reply.status, reply.body.details]).toEqual(
      isLarge ? [400, expect.stringMatching(/^order\.items /)] : [200, undefined],
    );
  }
});
