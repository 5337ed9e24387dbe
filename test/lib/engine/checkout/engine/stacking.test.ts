import { describe, expect, test } from 'vitest';
import type { Redeemable } from '#engine/checkout/engine/redeemable.ts';
import { defaultStackingRules, type StackingRules } from '#engine/checkout/engine/stacking-rules.ts';
import type { Discount } from '#engine/rules/discounts/discount.ts';
import type { ErrorKey } from '#kernel/core/errors.ts';
import { checkedOut, coupon, everything, orderOf } from '../../../../support/checkout.ts';

/** A name, with the amount taken off. */
type Named = Redeemable & { name: string };

const order = orderOf([{ amount: 600 }, { amount: 400 }]);
const category = (id: string, hierarchy?: number) => ({ id: `cat_${id}`, hierarchy });

function named(
  name: string,
  how: Partial<Redeemable> = {},
  discount: Discount = { type: 'AMOUNT', amount_off: 100 },
): Named {
  return { name, ...coupon(discount, everything, how) };
}

/** Common, joint and exclusive redeemables, of the categories c, j and e. */
const of = (name: string, hierarchy?: number) => named(name, { category: category(name[0] ?? '', hierarchy) });
const refusing = (one: Named, key: ErrorKey = 'order_rules_violated'): Named => ({ ...one, check: () => ({ key }) });

function stack(redeemables: readonly Named[], some: Partial<StackingRules> = {}) {
  const rules: StackingRules = {
    ...defaultStackingRules,
    exclusive_categories: ['cat_e', 'cat_f'],
    joint_categories: ['cat_j', 'cat_k'],
    applicable_redeemables_per_category_limit: null,
    applicable_exclusive_redeemables_per_category_limit: null,
    ...some,
  };
  const { considered, ...rest } = checkedOut(order, redeemables, { rules });
  const words = considered.map(({ redeemable: { name }, outcome }) => {
    if (outcome.status === 'APPLICABLE') return name;
    return `${name}: ${outcome.status === 'SKIPPED' ? outcome.key : outcome.refusal.key}`;
  });
  return { ...rest, words };
}

describe('redeemables are applied', () => {
  test.each<[string, Named[], Partial<StackingRules>, string[]]>([
    ['in the order of the request', [of('c1', 5), of('c2', 0), named('n')], {}, ['c1', 'c2', 'n']],
    [
      'by the hierarchy of their categories, and among equals in the order of the request',
      [of('c1', 5), named('n'), of('c2', 0), of('c3'), of('c4', 1)],
      { redeemables_sorting_rule: 'CATEGORY_HIERARCHY' },
      ['c2', 'n', 'c3', 'c4', 'c1'],
    ],
    [
      'joint ones after exclusive ones, whatever their hierarchy',
      [of('j1', 0), of('e1', 9)],
      { redeemables_sorting_rule: 'CATEGORY_HIERARCHY' },
      ['e1', 'j1'],
    ],
    ['joint ones in the order of the request, without exclusive ones', [of('j1'), of('c1')], {}, ['j1', 'c1']],
    [
      'in one group, if the rules say so',
      [of('j1'), of('e1')],
      { grouped_redeemables_sorting_rule: null },
      ['j1', 'e1'],
    ],
  ])('%s', (_, redeemables, rules, words) => {
    expect(stack(redeemables, rules).words).toEqual(words);
  });
});

const out = 'exclusion_rules_not_met';

describe('exclusive redeemables', () => {
  test.each<[string, Named[], Partial<StackingRules>, string[]]>([
    ['keep common ones out, in any place', [of('c1'), of('e1'), named('n')], {}, [`c1: ${out}`, 'e1', `n: ${out}`]],
    ['go with joint ones', [of('e1'), of('j1'), of('c1')], {}, ['e1', `c1: ${out}`, 'j1']],
    [
      'that cannot be used keep nothing out',
      [of('c1'), refusing(of('e1'))],
      { redeemables_application_mode: 'PARTIAL' },
      ['c1', 'e1: order_rules_violated'],
    ],
    [
      'are as many as their limit',
      [of('e1'), of('e2')],
      {},
      ['e1', 'e2: applicable_exclusive_redeemables_limit_exceeded'],
    ],
    [
      'are as many as the limit of their category',
      [of('e1'), of('e2'), of('f1')],
      { applicable_exclusive_redeemables_limit: 5, applicable_exclusive_redeemables_per_category_limit: 1 },
      ['e1', 'e2: applicable_exclusive_redeemables_per_category_limit_exceeded', 'f1'],
    ],
  ])('are limited in number by their category', (_, redeemables, rules, words) => {
    expect(stack(redeemables, rules).words).toEqual(words);
  });
});

describe('the limits choose among usable redeemables, so that', () => {
  const perCategory = 'applicable_redeemables_per_category_limit_exceeded';
  test.each<[string, Named[], Partial<StackingRules>, string[]]>([
    [
      'so many are',
      [named('a'), named('b'), named('c')],
      { applicable_redeemables_limit: 2 },
      ['a', 'b', 'c: applicable_redeemables_limit_exceeded'],
    ],
    [
      'only so many of a category are used, and any number without one',
      [of('c1'), of('c2'), of('d1'), named('a'), named('b')],
      { applicable_redeemables_per_category_limit: 1 },
      ['c1', `c2: ${perCategory}`, 'd1', 'a', 'b'],
    ],
    [
      'only so many of one category are used',
      [of('c1'), of('c2'), of('c3')],
      { applicable_redeemables_per_category_limit: 1, applicable_redeemables_category_limits: { cat_c: 2 } },
      ['c1', 'c2', `c3: ${perCategory}`],
    ],
    [
      'redeemables that are left out do not count',
      [named('none', {}, { type: 'AMOUNT', amount_off: 0 }), refusing(named('no')), named('b')],
      { applicable_redeemables_limit: 1, redeemables_no_effect_rule: 'SKIP', redeemables_application_mode: 'PARTIAL' },
      ['none: no_effect', 'no: order_rules_violated', 'b'],
    ],
  ])('%s', (_, redeemables, rules, words) => {
    const found = stack(redeemables, rules);
    expect(found.words).toEqual(words);
    expect(found.isValid).toBe(true);
  });
});

describe('a redeemable that cannot be used', () => {
  const some = [named('a'), refusing(named('b')), named('c')];

  test('ends it in mode ALL', () => {
    const { words, isValid } = stack(some);
    expect(words).toEqual(['a', 'b: order_rules_violated', 'c: preceding_validation_failed']);
    expect(isValid).toBe(false);
  });

  test('is left out in mode PARTIAL', () => {
    const { words, isValid, order: shown } = stack(some, { redeemables_application_mode: 'PARTIAL' });
    expect(words).toEqual(['a', 'b: order_rules_violated', 'c']);
    expect(isValid).toBe(true);
    expect(shown).toMatchObject({ total_applied_discount_amount: 200, total_amount: 800 });
  });

  test('is refused alone in mode PARTIAL if nothing else can be used', () => {
    expect(stack([refusing(named('b'))], { redeemables_application_mode: 'PARTIAL' }).isValid).toBe(false);
  });
});

test('each redeemable is checked against the order after those before it', () => {
  const seen: number[] = [];
  const looking = named('b', { check: ({ discount_amount }) => void seen.push(discount_amount) });
  stack([named('a'), looking, named('c'), { ...looking, name: 'd' }]);
  expect(seen).toEqual([100, 300]);
});

const nothing: Discount = { type: 'AMOUNT', amount_off: 0 };

test.each<[string, Partial<StackingRules>, string]>([
  ['is applied', {}, 'a'],
  ['is left out where the rules say so', { redeemables_no_effect_rule: 'SKIP' }, 'a: no_effect'],
  ['is left out by its category', { no_effect_skip_categories: ['cat_a'] }, 'a: no_effect'],
  [
    'is applied by its category',
    { redeemables_no_effect_rule: 'SKIP', no_effect_redeem_anyway_categories: ['cat_a'] },
    'a',
  ],
])('a redeemable without effect %s', (_, rules, word) => {
  expect(stack([named('a', { category: category('a') }, nothing)], rules).words).toEqual([word]);
});

test.each<[string, Partial<StackingRules>, number]>([
  ['what is left', {}, 810],
  ['what there was', { discount_calculation_mode: 'INITIAL_AMOUNT' }, 800],
  ['the initial amount, by their category', { initial_amount_mode_categories: ['cat_a'] }, 800],
  [
    'the rest, by their category',
    { discount_calculation_mode: 'INITIAL_AMOUNT', discounted_amount_mode_categories: ['cat_a'] },
    810,
  ],
])('percentages are of %s', (_, rules, rest) => {
  const percent: Discount = { type: 'PERCENT', percent_off: 10 };
  const redeemables = ['a', 'b'].map((name) => named(name, { category: category('a') }, percent));
  expect(stack(redeemables, rules).order.total_amount).toBe(rest);
});

test('a line is discounted repeatedly, or only once', () => {
  const items: Discount = { type: 'PERCENT', percent_off: 50, effect: 'APPLY_TO_ITEMS' };
  const both = [named('a', {}, items), named('b', {}, items), named('c')];
  expect(stack(both).order).toMatchObject({ items_discount_amount: 750, discount_amount: 100 });
  const once = stack(both, { redeemables_products_application_mode: 'ONCE' });
  expect(once.order).toMatchObject({ items_discount_amount: 500, discount_amount: 100 });
});
