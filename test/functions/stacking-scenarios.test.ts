import { expect, test } from 'vitest';
import { handler as redeemRedeemables } from '../../functions/redemptions/redeem-redeemables.ts';
import { handler as rollBackRedemptions } from '../../functions/redemptions/rollback-redemptions.ts';
import { handler as validateRedeemables } from '../../functions/validations/validate-redeemables.ts';
import { handler as getVoucher } from '../../functions/vouchers/get-voucher.ts';
import { caller } from '../support/call.ts';
import { promotionTier } from '../support/lists.ts';
import { loadProject } from '../support/project.ts';

/** Stacking rules of a project at the till. Validations give the sums that are worked out by hand here, and redemptions give the same. */

const off = (amount_off: number) => ({ type: 'AMOUNT', amount_off, effect: 'APPLY_TO_ORDER' });
const percent = (percent_off: number) => ({ type: 'PERCENT', percent_off, effect: 'APPLY_TO_ORDER' });
const coupon = (code: string, discount: object, category_id?: string) => ({
  code,
  type: 'DISCOUNT_VOUCHER',
  discount,
  redemption: { quantity: 9, redeemed_quantity: 0 },
  ...(category_id ? { category_id } : {}),
});

/** All on an order of 1000. */
const file = {
  categories: [
    { id: 'cat_late', name: 'Late', hierarchy: 9 },
    { id: 'cat_early', name: 'Early', hierarchy: 0 },
    { id: 'cat_alone', name: 'Alone', hierarchy: 5 },
    { id: 'cat_any', name: 'With any', hierarchy: 0 },
  ],
  campaigns: [
    { id: 'camp_p', name: 'Tiers', campaign_type: 'PROMOTION', type: 'STATIC' },
    { id: 'camp_late', name: 'Codes', campaign_type: 'DISCOUNT_COUPONS', type: 'STATIC', category_id: 'cat_late' },
  ],
  promotion_tiers: [
    promotionTier(
      { id: 'promo_any', name: 'Any', campaign_id: 'camp_p', hierarchy: 1, category_id: 'cat_any' },
      percent(10),
    ),
  ],
  vouchers: [
    coupon('MINUS200', off(200)),
    coupon('TENTH', percent(10)),
    coupon('LATE', percent(10), 'cat_late'),
    { ...coupon('INHERITS', percent(50)), campaign_id: 'camp_late' },
    coupon('EARLY', off(200), 'cat_early'),
    coupon('ALONE', off(300), 'cat_alone'),
    coupon('NOTHING', off(0), 'cat_early'),
    { ...coupon('OFF', off(100)), active: false },
  ],
};
const groups = { exclusive_categories: ['cat_alone'], joint_categories: ['cat_any'] };

type Row = [what: string, rules: object, sent: string[], came: string, total: number];

const redeemableOf = (id: string) => ({ object: id.startsWith('promo_') ? 'promotion_tier' : 'voucher', id });

async function shop(rules: object) {
  const { credentials: headers } = await loadProject({ ...file, stacking_rules: [rules] });
  const bodyOf = (sent: readonly string[]) => ({ redeemables: sent.map(redeemableOf), order: { amount: 1000 } });
  return {
    validate: (sent: readonly string[]) => caller(validateRedeemables)({ headers, body: bodyOf(sent) }),
    redeem: (sent: readonly string[]) => caller(redeemRedeemables)({ headers, body: bodyOf(sent) }),
    rollBack: (redemptionId: string) => caller(rollBackRedemptions)({ headers, params: { redemptionId }, body: {} }),
    usesOf: async (code: string) =>
      (await caller(getVoucher)({ headers, params: { code } })).body.redemption.redeemed_quantity,
  };
}

interface Shown {
  id: string;
  status: string;
  order?: { total_applied_discount_amount?: number };
  result: { error?: { key: string }; details?: { key: string } };
}

const wordsOf = (one: Shown) =>
  `${one.id} ${one.result.error?.key ?? one.result.details?.key ?? one.order?.total_applied_discount_amount ?? 0}`;

test.each<Row>([
  ['in the order of the request', {}, ['TENTH', 'MINUS200'], 'TENTH 100, MINUS200 200', 700],
  ['in the order of the request, reversed', {}, ['MINUS200', 'TENTH'], 'MINUS200 200, TENTH 80', 720],
  [
    "by the hierarchy of categories, also if a code has its campaign's",
    { redeemables_sorting_rule: 'CATEGORY_HIERARCHY' },
    ['INHERITS', 'MINUS200', 'EARLY'],
    'EARLY 200, MINUS200 200, INHERITS 300',
    300,
  ],
  [
    'percentages of the initial amount',
    { discount_calculation_mode: 'INITIAL_AMOUNT' },
    ['MINUS200', 'TENTH'],
    'MINUS200 200, TENTH 100',
    700,
  ],
  [
    'percentages of the initial amount, by category',
    { initial_amount_mode_categories: ['cat_late'] },
    ['MINUS200', 'LATE', 'TENTH'],
    'MINUS200 200, LATE 100, TENTH 70',
    630,
  ],
  [
    'an exclusive one with a joint one behind it, and without a common one',
    groups,
    ['MINUS200', 'promo_any', 'ALONE'],
    'ALONE 300, promo_any 70, MINUS200 exclusion_rules_not_met',
    630,
  ],
  [
    'one per category',
    {},
    ['LATE', 'INHERITS', 'MINUS200'],
    'LATE 100, MINUS200 200, INHERITS applicable_redeemables_per_category_limit_exceeded',
    700,
  ],
  [
    'as many as allowed, not counting one without an effect',
    { applicable_redeemables_limit: 1, redeemables_no_effect_rule: 'SKIP' },
    ['NOTHING', 'TENTH', 'MINUS200'],
    'TENTH 100, NOTHING no_effect, MINUS200 applicable_redeemables_limit_exceeded',
    900,
  ],
  [
    'the usable ones among several',
    { redeemables_application_mode: 'PARTIAL' },
    ['OFF', 'TENTH', 'MINUS200'],
    'TENTH 100, MINUS200 200, OFF voucher_disabled',
    700,
  ],
])('%s', async (_, rules, sent, came, total) => {
  const { validate, redeem, usesOf } = await shop(rules);
  const { body: said } = await validate(sent);
  const { redeemables, skipped_redeemables: skipped = [], inapplicable_redeemables: unusable = [] } = said;
  expect([[...redeemables, ...skipped, ...unusable].map(wordsOf).join(', '), said.order?.total_amount]).toEqual([
    came,
    total,
  ]);

  const { status, body: done } = await redeem(sent);
  expect([status, done.order.total_amount]).toEqual([200, total]);
  const left = [...done.skipped_redeemables, ...done.inapplicable_redeemables];
  expect(left.map(wordsOf)).toEqual([...skipped, ...unusable].map(wordsOf));
  const used = new Set(redeemables.map(({ id }: Shown) => id));
  for (const code of sent.filter((id) => !id.startsWith('promo_'))) {
    expect([code, await usesOf(code)]).toEqual([code, used.has(code) ? 1 : 0]);
  }
});

test('in mode ALL a redeemable that cannot be used keeps all others back', async () => {
  const { validate, redeem, usesOf } = await shop({});
  const sent = ['TENTH', 'OFF', 'MINUS200'];
  const { body } = await validate(sent);
  expect([body.valid, body.order]).toEqual([false, undefined]);
  expect(body.redeemables.map(wordsOf).join(', ')).toBe(
    'TENTH 100, OFF voucher_disabled, MINUS200 preceding_validation_failed',
  );
  expect((await redeem(sent)).body).toMatchObject({ code: 400, key: 'voucher_disabled', redeemable_id: 'OFF' });
  expect(await usesOf('TENTH')).toBe(0);
});

test.each([
  ['WITH_ORDER', { status: 'CANCELED', total_amount: 1000 }],
  ['WITHOUT_ORDER', { status: 'PAID', total_amount: 700 }],
])('a redemption of several is rolled back %s', async (mode, order) => {
  const { redeem, rollBack, usesOf } = await shop({ redeemables_rollback_order_mode: mode });
  const { body: done } = await redeem(['TENTH', 'MINUS200']);
  const { body } = await rollBack(done.parent_redemption.id);
  expect(body.order).toMatchObject({ id: done.order.id, ...order });
  expect([await usesOf('TENTH'), await usesOf('MINUS200')]).toEqual([0, 0]);
});
