import { expect, test } from 'vitest';
import { handler as getTier } from '../../functions/promotions/get-promotion-tier.ts';
import { handler as redeem } from '../../functions/redemptions/redeem-redeemables.ts';
import { handler as rollBackAll } from '../../functions/redemptions/rollback-redemptions.ts';
import { caller } from '../support/call.ts';
import { testDependencies } from '../support/dependencies.ts';
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
  campaigns: [{ id: 'camp_tiers', name: 'Tiers', campaign_type: 'PROMOTION', type: 'AUTO_UPDATE' }],
  promotion_tiers: numbers.flatMap((index) => [tierOf('free', index), tierOf('counted', index)]),
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
  vouchers: numbers.map((index) => ({ code: `GIFT-${index}`, type: 'GIFT_VOUCHER', gift: { amount: 100 } })),
};

const gift = (index: number) => ({ object: 'voucher', id: `GIFT-${index}`, gift: { credits: 1 } });
const tier = (kind: string) => (index: number) => ({ object: 'promotion_tier', id: `promo_${kind}_${index}` });

test.each([
  ['tiers without limits', tier('free'), 'ada', 30, 30],
  ['gift cards of nobody', gift, undefined, 25, 20],
  ['tiers whose rules count', tier('counted'), 'ada', 22, 15],
])(
  'of %s as many are redeemed at once as can be rolled back at once, and more are refused with nothing changed',
  async (_, redeemable, person, most, least) => {
    const dependencies = testDependencies({ patienceInMs: 60_000 });
    const shop = await openShop(dependencies, lists);
    const { credentials: headers } = shop.project;
    const attempt = (count: number) => {
      const redeemables = numbers.slice(0, count).map(redeemable);
      const customer = person === undefined ? {} : { customer: { source_id: person } };
      const body = { redeemables, ...customer, order: { amount: 100_000 } };
      return caller(redeem, dependencies)({ headers, body });
    };
    const used = async () => {
      const tiers = ['promo_free_0', 'promo_counted_0'].map((promotionTierId) =>
        caller(getTier)({ headers, params: { promotionTierId } }),
      );
      const redeemed = (await Promise.all(tiers)).map(({ body }) => body.summary.redemptions.total_redeemed);
      return [...redeemed, (await shop.voucher('GIFT-0')).redemption.redeemed_quantity];
    };
    let count = most;
    let reply = await attempt(count);
    for (; reply.status !== 200; reply = await attempt(count)) {
      expect([reply.status, reply.body.key, reply.body.details]).toEqual([
        400,
        'invalid_redeemables',
        expect.stringContaining('send fewer of them'),
      ]);
      expect(await used()).toEqual([0, 0, 0]);
      count -= 1;
    }
    expect(count).toBeGreaterThanOrEqual(least);
    const params = { redemptionId: reply.body.parent_redemption.id };
    const rolledBack = await caller(rollBackAll, dependencies)({ headers, params });
    expect([rolledBack.status, rolledBack.body.details]).toEqual([200, undefined]);
    expect(rolledBack.body.rollbacks).toHaveLength(count);
    expect(await used()).toEqual([0, 0, 0]);
  },
);
