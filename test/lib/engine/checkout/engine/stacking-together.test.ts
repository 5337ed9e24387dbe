import { describe, expect, test } from 'vitest';
import { byHierarchy, come, exclusiveGift, failing, hold, off, percent } from '../../../../support/stacks.ts';

const partial = { redeemables_application_mode: 'PARTIAL' } as const;
const exclusion = 'exclusion_rules_not_met';
const perCategory = 'applicable_redeemables_per_category_limit_exceeded';

describe('an exclusive gift card that pays last', () => {
  const last = { payments_application: 'LAST', redeemables_no_effect_rule: 'SKIP' } as const;
  hold([
    [
      'excludes common codes, and pays what joint ones leave',
      [off(500), off(100, 'j1-100'), exclusiveGift],
      last,
      `500: ${exclusion}, j1-100: 100, e1-gift: 300 = 600`,
    ],
    [
      'keeps its place in the limit against joint codes',
      [off(500), off(100, 'j1-100'), exclusiveGift],
      { ...last, applicable_redeemables_limit: 1 },
      `500: ${exclusion}, j1-100: applicable_redeemables_limit_exceeded, e1-gift: 300 = 700`,
    ],
    [
      'excludes common codes also if joint ones leave nothing to pay',
      [off(1000), off(1000, 'j1-1000'), exclusiveGift],
      last,
      `1000: ${exclusion}, j1-1000: 1000, e1-gift: no_effect = 0`,
    ],
    [
      'leaves common codes in if it cannot be used itself',
      [off(500), off(100, 'j1-100'), failing(exclusiveGift)],
      { ...last, ...partial },
      '500: 500, j1-100: 100, e1-gift: voucher_expired = 400',
    ],
  ]);
});

describe('these apply together:', () => {
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
      'common ones, if the exclusive one cannot be used',
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
      'one per category, and all without a category',
      [off(100, 'c1-100'), off(300, 'c1-300'), off(50), off(20)],
      {},
      `c1-100: 100, c1-300: ${perCategory}, 50: 50, 20: 20 = 830`,
    ],
    [
      'as many as a category allows',
      [off(100, 'c1-100'), off(300, 'c1-300'), off(20, 'c1-20'), off(50, 'c2-50'), off(10, 'c2-10')],
      { applicable_redeemables_category_limits: { cat_c1: 2 } },
      `c1-100: 100, c1-300: 300, c1-20: ${perCategory}, c2-50: 50, c2-10: ${perCategory} = 550`,
    ],
    [
      'the first of the category by hierarchy, in any order of the request',
      [off(100, 'c1.4-100'), off(300, 'c2.2-300'), off(50, 'c3.1-50')],
      { ...byHierarchy, applicable_redeemables_limit: 2 },
      'c3.1-50: 50, c2.2-300: 300, c1.4-100: applicable_redeemables_limit_exceeded = 650',
    ],
    [
      'five, if the rules say nothing',
      [1, 2, 3, 4, 5, 6].map((amount) => off(amount)),
      {},
      '1: 1, 2: 2, 3: 3, 4: 4, 5: 5, 6: applicable_redeemables_limit_exceeded = 985',
    ],
    [
      'one without an effect, which takes a place',
      [off(0), off(100), off(200)],
      { applicable_redeemables_limit: 2 },
      '0: 0, 100: 100, 200: applicable_redeemables_limit_exceeded = 900',
    ],
    [
      'one without an effect, which takes no place if it is left out',
      [off(0), off(100), off(200)],
      { applicable_redeemables_limit: 2, redeemables_no_effect_rule: 'SKIP' },
      '0: no_effect, 100: 100, 200: 200 = 700',
    ],
    [
      'one that no longer has an effect',
      [percent(100), off(50, 'c1-50'), off(20, 'c2-20')],
      { redeemables_no_effect_rule: 'SKIP', no_effect_redeem_anyway_categories: ['cat_c2'] },
      '100%: 1000, c1-50: no_effect, c2-20: 0 = 0',
    ],
    [
      'the usable ones among several',
      [off(100), failing(off(500)), off(200)],
      partial,
      '100: 100, 500: voucher_expired, 200: 200 = 700',
    ],
  ]);

  test('none apply if one of all cannot be used', () => {
    expect(come([off(100), failing(off(500)), off(200)], {})).toEqual({
      came: '100: 100, 500: voucher_expired, 200: preceding_validation_failed = 900',
      isValid: false,
    });
  });
});
