import { describe, expect, test } from 'vitest';
import type { Benefit, Redeemable } from '../../../lib/checkout/redeemable.ts';
import type { Scope } from '../../../lib/checkout/scope.ts';
import { defaultStackingRules, type StackingRules } from '../../../lib/checkout/stacking-rules.ts';
import { checkedOut, coupon, entry, everything, included, orderOf } from '../../support/checkout.ts';

/**
 * What stacks come to, worked out by hand: of each redeemable, as they are applied, what it takes off, or why it takes nothing. The order
 * has tea for 600 and mugs for 400.
 */

const order = orderOf([
  { product_id: 'prod_tea', quantity: 2, price: 300 },
  { product_id: 'prod_mug', quantity: 1, price: 400 },
]);

type Named = Redeemable & { readonly name: string };

/** A name such as `e1-…` or `j1.5-…` is of an exclusive (`c`: common, `j`: joint) category `cat_e1`, `cat_j1`; behind the dot is its hierarchy. */
function named(name: string, made: Redeemable): Named {
  const [, id, hierarchy] = /^([cje]\w)(?:\.(\d))?-/.exec(name) ?? [];
  const category =
    id === undefined ? undefined : { id: `cat_${id}`, hierarchy: hierarchy === undefined ? 1 : Number(hierarchy) };
  return { ...made, name, category };
}

const off = (amount_off: number, name = `${amount_off}`) =>
  named(name, coupon({ type: 'AMOUNT', amount_off, effect: 'APPLY_TO_ORDER' }));
const percent = (percent_off: number, name = `${percent_off}%`) =>
  named(name, coupon({ type: 'PERCENT', percent_off, effect: 'APPLY_TO_ORDER' }));
const fixed = (fixed_amount: number) =>
  named(`to ${fixed_amount}`, coupon({ type: 'FIXED', fixed_amount, effect: 'APPLY_TO_ORDER' }));
const tea = included(entry('prod_tea'));
const lines = (percent_off: number, scope: Scope = everything, name = `${percent_off}% of lines`) =>
  named(name, coupon({ type: 'PERCENT', percent_off, effect: 'APPLY_TO_ITEMS' }, scope));
const eachLine = (amount_off: number) =>
  named(`${amount_off} a line`, coupon({ type: 'AMOUNT', amount_off, effect: 'APPLY_TO_ITEMS' }));
const freeMug = named('a mug', coupon({ type: 'UNIT', unit_off: 1, unit_type: 'prod_mug', effect: 'ADD_NEW_ITEMS' }));
const paying = (name: string, benefit: Benefit) => named(name, { benefit, scope: everything });
const gift = paying('gift', { kind: 'gift', gift: { balance: 300 } });
const points = paying('points', { kind: 'points', points: { balance: 100, points_ratio: 10, exchange_ratio: 1 } });
const failing = (one: Named): Named => ({ ...one, check: () => ({ key: 'voucher_expired' }) });

const categories: Partial<StackingRules> = { exclusive_categories: ['cat_e1', 'cat_e2'], joint_categories: ['cat_j1'] };

type Row = [what: string, sent: Named[], rules: Partial<StackingRules>, came: string];

/** By the name of each. */
function come(sent: readonly Named[], some: Partial<StackingRules>) {
  const rules: StackingRules = { ...defaultStackingRules, ...categories, ...some };
  const { considered, order: whole, isValid } = checkedOut(order, sent, { rules });
  const came = considered.map(({ redeemable: { name }, outcome }) => {
    if (outcome.status === 'APPLICABLE') return `${name}: ${outcome.order.total_applied_discount_amount ?? 0}`;
    return `${name}: ${outcome.status === 'SKIPPED' ? outcome.key : outcome.refusal.key}`;
  });
  return { came: `${came.join(', ')} = ${whole.total_amount}`, isValid };
}

function hold(rows: readonly Row[]): void {
  test.each<Row>(rows)('%s', (_, sent, rules, came) => {
    expect(come(sent, rules)).toEqual({ came, isValid: true });
  });
}

const initial = { discount_calculation_mode: 'INITIAL_AMOUNT' } as const;
const once = { redeemables_products_application_mode: 'ONCE' } as const;
const byHierarchy = { redeemables_sorting_rule: 'CATEGORY_HIERARCHY' } as const;
const partial = { redeemables_application_mode: 'PARTIAL' } as const;
const exclusion = 'exclusion_rules_not_met';
const perCategory = 'applicable_redeemables_per_category_limit_exceeded';

describe('in which order it is computed:', () => {
  hold([
    ['a percent before an amount', [percent(10), off(200)], {}, '10%: 100, 200: 200 = 700'],
    ['a percent of what an amount has left', [off(200), percent(10)], {}, '200: 200, 10%: 80 = 720'],
    [
      'a percent of what a percent has left',
      [percent(50), percent(50, '50% more')],
      {},
      '50%: 500, 50% more: 250 = 250',
    ],
    ['a price before an amount', [fixed(500), off(200)], {}, 'to 500: 500, 200: 200 = 300'],
    ['a price after an amount, which it does not raise', [off(200), fixed(500)], {}, '200: 200, to 500: 300 = 500'],
    ['a price that is not reached', [off(600), fixed(500)], {}, '600: 600, to 500: 0 = 400'],
    [
      'lines before the order, whose percent is of the rest',
      [lines(50, tea), percent(10)],
      {},
      '50% of lines: 300, 10%: 70 = 630',
    ],
    [
      'the order before lines, which know nothing of it',
      [percent(10), lines(50, tea)],
      {},
      '10%: 100, 50% of lines: 300 = 600',
    ],
    ['lines, as far as the order has anything left', [off(900), lines(50, tea)], {}, '900: 900, 50% of lines: 100 = 0'],
    ['a free mug, and a percent of what is to pay', [freeMug, percent(10)], {}, 'a mug: 400, 10%: 100 = 900'],
    ['credits before a percent', [gift, percent(10)], {}, 'gift: 300, 10%: 70 = 630'],
    ['credits after a percent', [percent(10), gift], {}, '10%: 100, gift: 300 = 600'],
    // 10 points are worth 100: 20 pay the 200 that are left, of the 100 there are.
    ['points for what is left', [off(800), points], {}, '800: 800, points: 200 = 0'],
    [
      'by hierarchy, the lower first, whatever was sent',
      [percent(10, 'c1.5-10%'), off(200, 'c2.0-200')],
      byHierarchy,
      'c2.0-200: 200, c1.5-10%: 80 = 720',
    ],
    [
      'by hierarchy, of which what has no category has 1',
      [percent(10, 'c1.2-10%'), off(200), off(100, 'c2.0-100')],
      byHierarchy,
      'c2.0-100: 100, 200: 200, c1.2-10%: 70 = 630',
    ],
    [
      'exclusive before joint ones, as they were sent',
      [percent(10, 'j1-10%'), off(200, 'e1-200')],
      {},
      'e1-200: 200, j1-10%: 80 = 720',
    ],
    [
      'exclusive before joint ones, against their hierarchy',
      [percent(10, 'j1.0-10%'), off(200, 'e1.9-200')],
      byHierarchy,
      'e1.9-200: 200, j1.0-10%: 80 = 720',
    ],
    [
      'exclusive and joint ones by hierarchy, where they are one group',
      [off(200, 'e1.9-200'), percent(10, 'j1.0-10%')],
      { ...byHierarchy, grouped_redeemables_sorting_rule: null },
      'j1.0-10%: 100, e1.9-200: 200 = 700',
    ],
  ]);
});

describe('of what a percent is:', () => {
  hold([
    ['of the initial amount, after an amount', [off(200), percent(10)], initial, '200: 200, 10%: 100 = 700'],
    [
      'of the initial amount, after discounts on lines',
      [lines(50), percent(10)],
      initial,
      '50% of lines: 500, 10%: 100 = 400',
    ],
    [
      'of what lines cost at first',
      [lines(50), lines(20, tea, '20% of tea')],
      initial,
      '50% of lines: 500, 20% of tea: 120 = 380',
    ],
    [
      'of what is left of lines',
      [lines(50), lines(20, tea, '20% of tea')],
      {},
      '50% of lines: 500, 20% of tea: 60 = 440',
    ],
    ['never more than what is left', [off(950), percent(10)], initial, '950: 950, 10%: 50 = 0'],
    ['without a mug that was added', [freeMug, percent(10)], initial, 'a mug: 400, 10%: 100 = 900'],
    [
      'by its category',
      [off(200), percent(10, 'c1-10%'), percent(10, 'c2-10%')],
      { initial_amount_mode_categories: ['cat_c1'] },
      '200: 200, c1-10%: 100, c2-10%: 70 = 630',
    ],
    [
      'by its category, the other way round',
      [off(200), percent(10, 'c1-10%'), percent(10, 'c2-10%')],
      { ...initial, discounted_amount_mode_categories: ['cat_c2'] },
      '200: 200, c1-10%: 100, c2-10%: 70 = 630',
    ],
  ]);
});

describe('lines once:', () => {
  hold([
    [
      'those that have a discount are out of reach',
      [lines(50, tea), eachLine(100)],
      once,
      '50% of lines: 300, 100 a line: 100 = 600',
    ],
    ['others are not, nor is the order', [lines(50), percent(10)], once, '50% of lines: 500, 10%: 50 = 450'],
    [
      'else one after the other is in reach',
      [lines(50, tea), eachLine(100)],
      {},
      '50% of lines: 300, 100 a line: 200 = 500',
    ],
    ['what reaches none has no effect', [lines(50), eachLine(100)], once, '50% of lines: 500, 100 a line: 0 = 500'],
    [
      'what reaches none is left out, where the rules say so',
      [lines(50), eachLine(100)],
      { ...once, redeemables_no_effect_rule: 'SKIP' },
      '50% of lines: 500, 100 a line: no_effect = 500',
    ],
  ]);
});

describe('which go together:', () => {
  const exclusiveLimit = 'applicable_exclusive_redeemables_limit_exceeded';
  const exclusivePerCategory = 'applicable_exclusive_redeemables_per_category_limit_exceeded';
  hold([
    [
      'exclusive ones without common ones',
      [off(500), percent(10, 'e1-10%')],
      {},
      `500: ${exclusion}, e1-10%: 100 = 900`,
    ],
    [
      'exclusive and joint ones, of which a later one keeps earlier ones out',
      [off(500, 'c1-500'), off(100, 'j1-100'), percent(10, 'e1-10%')],
      {},
      `c1-500: ${exclusion}, e1-10%: 100, j1-100: 100 = 800`,
    ],
    ['common and joint ones', [off(500), off(100, 'j1-100')], {}, '500: 500, j1-100: 100 = 400'],
    [
      'common ones, where the exclusive one can’t be used',
      [off(500), failing(percent(10, 'e1-10%'))],
      partial,
      '500: 500, e1-10%: voucher_expired = 500',
    ],
    ['one exclusive one', [off(100, 'e1-100'), off(300, 'e2-300')], {}, `e1-100: 100, e2-300: ${exclusiveLimit} = 900`],
    [
      'two exclusive ones, of different categories',
      [off(100, 'e1-100'), off(50, 'e1-50'), off(300, 'e2-300')],
      { applicable_exclusive_redeemables_limit: 2 },
      `e1-100: 100, e1-50: ${exclusivePerCategory}, e2-300: 300 = 600`,
    ],
    [
      'one of a category, and all that have none',
      [off(100, 'c1-100'), off(300, 'c1-300'), off(50), off(20)],
      {},
      `c1-100: 100, c1-300: ${perCategory}, 50: 50, 20: 20 = 830`,
    ],
    [
      'as many as a category may have',
      [off(100, 'c1-100'), off(300, 'c1-300'), off(20, 'c1-20'), off(50, 'c2-50'), off(10, 'c2-10')],
      { applicable_redeemables_category_limits: { cat_c1: 2 } },
      `c1-100: 100, c1-300: 300, c1-20: ${perCategory}, c2-50: 50, c2-10: ${perCategory} = 550`,
    ],
    [
      'the first of the category by hierarchy, not as sent',
      [off(100, 'c1.4-100'), off(300, 'c2.2-300'), off(50, 'c3.1-50')],
      { ...byHierarchy, applicable_redeemables_limit: 2 },
      'c3.1-50: 50, c2.2-300: 300, c1.4-100: applicable_redeemables_limit_exceeded = 650',
    ],
    [
      'five, where the rules say nothing',
      [1, 2, 3, 4, 5, 6].map((amount) => off(amount)),
      {},
      '1: 1, 2: 2, 3: 3, 4: 4, 5: 5, 6: applicable_redeemables_limit_exceeded = 985',
    ],
    [
      'what takes nothing off takes a place',
      [off(0), off(100), off(200)],
      { applicable_redeemables_limit: 2 },
      '0: 0, 100: 100, 200: applicable_redeemables_limit_exceeded = 900',
    ],
    [
      'what takes nothing off takes none where it is left out',
      [off(0), off(100), off(200)],
      { applicable_redeemables_limit: 2, redeemables_no_effect_rule: 'SKIP' },
      '0: no_effect, 100: 100, 200: 200 = 700',
    ],
    [
      'what takes nothing off any more',
      [percent(100), off(50, 'c1-50'), off(20, 'c2-20')],
      { redeemables_no_effect_rule: 'SKIP', no_effect_redeem_anyway_categories: ['cat_c2'] },
      '100%: 1000, c1-50: no_effect, c2-20: 0 = 0',
    ],
    [
      'those that can be used, of some',
      [off(100), failing(off(500)), off(200)],
      partial,
      '100: 100, 500: voucher_expired, 200: 200 = 700',
    ],
  ]);

  test('none, where one of all can’t be used', () => {
    expect(come([off(100), failing(off(500)), off(200)], {})).toEqual({
      came: '100: 100, 500: voucher_expired, 200: preceding_validation_failed = 900',
      isValid: false,
    });
  });
});
