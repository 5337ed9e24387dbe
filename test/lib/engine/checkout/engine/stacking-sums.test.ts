import { describe } from 'vitest';
import {
  byHierarchy,
  eachLine,
  fixed,
  freeMug,
  freeTin,
  gift,
  hold,
  lines,
  mugForTea,
  off,
  oneMug,
  percent,
  points,
  tea,
} from '../../../../support/stacks.ts';

const initial = { discount_calculation_mode: 'INITIAL_AMOUNT' } as const;
const once = { redeemables_products_application_mode: 'ONCE' } as const;

describe('redeemables are computed in this order:', () => {
  hold([
    ['a percent before an amount', [percent(10), off(200)], {}, '10%: 100, 200: 200 = 700'],
    ['a percent of the rest after an amount', [off(200), percent(10)], {}, '200: 200, 10%: 80 = 720'],
    [
      'a percent of the rest after a percent',
      [percent(50), percent(50, '50% more')],
      {},
      '50%: 500, 50% more: 250 = 250',
    ],
    ['a price before an amount', [fixed(500), off(200)], {}, 'to 500: 500, 200: 200 = 300'],
    ['a price after an amount, which it does not raise', [off(200), fixed(500)], {}, '200: 200, to 500: 300 = 500'],
    ['a price that the order does not reach', [off(600), fixed(500)], {}, '600: 600, to 500: 0 = 400'],
    [
      'lines before the order, whose percent is of the rest',
      [lines(50, tea), percent(10)],
      {},
      '50% of lines: 300, 10%: 70 = 630',
    ],
    [
      'the order before lines, which do not depend on it',
      [percent(10), lines(50, tea)],
      {},
      '10%: 100, 50% of lines: 300 = 600',
    ],
    ['lines, as far as the order has anything left', [off(900), lines(50, tea)], {}, '900: 900, 50% of lines: 100 = 0'],
    ['a free mug, and a percent of what is to pay', [freeMug, percent(10)], {}, 'a mug: 400, 10%: 100 = 900'],
    ['credits before a percent', [gift, percent(10)], {}, 'gift: 300, 10%: 70 = 630'],
    ['credits after a percent', [percent(10), gift], {}, '10%: 100, gift: 300 = 600'],
    // 10 points are worth 100. 20 of the card's 100 points pay the remaining 200.
    ['points for what is left', [off(800), points], {}, '800: 800, points: 200 = 0'],
    [
      'by hierarchy, the lower first, in any order of the request',
      [percent(10, 'c1.5-10%'), off(200, 'c2.0-200')],
      byHierarchy,
      'c2.0-200: 200, c1.5-10%: 80 = 720',
    ],
    [
      'by hierarchy, which is 1 without a category',
      [percent(10, 'c1.2-10%'), off(200), off(100, 'c2.0-100')],
      byHierarchy,
      'c2.0-100: 100, 200: 200, c1.2-10%: 70 = 630',
    ],
    [
      'exclusive before joint ones, in the order of the request',
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
      'exclusive and joint ones by hierarchy, if they are one group',
      [off(200, 'e1.9-200'), percent(10, 'j1.0-10%')],
      { ...byHierarchy, grouped_redeemables_sorting_rule: null },
      'j1.0-10%: 100, e1.9-200: 200 = 700',
    ],
  ]);
});

describe('a percentage is taken:', () => {
  hold([
    ['of the initial amount, after an amount', [off(200), percent(10)], initial, '200: 200, 10%: 100 = 700'],
    [
      'of the initial amount, after discounts on lines',
      [lines(50), percent(10)],
      initial,
      '50% of lines: 500, 10%: 100 = 400',
    ],
    [
      'of the first cost of lines',
      [lines(50), lines(20, tea, '20% of tea')],
      initial,
      '50% of lines: 500, 20% of tea: 120 = 380',
    ],
    ['of the rest of lines', [lines(50), lines(20, tea, '20% of tea')], {}, '50% of lines: 500, 20% of tea: 60 = 440'],
    ['never of more than the rest', [off(950), percent(10)], initial, '950: 950, 10%: 50 = 0'],
    ['without an added mug', [freeMug, percent(10)], initial, 'a mug: 400, 10%: 100 = 900'],
    [
      'of the first cost of lines, without a mug that was added to one',
      [freeMug, lines(20)],
      initial,
      'a mug: 400, 20% of lines: 200 = 800',
    ],
    [
      'of the first cost of lines, without an added line',
      [freeTin, lines(20)],
      initial,
      'a tin: 700, 20% of lines: 200 = 800',
    ],
    [
      'of one unit that counts, beside an added one',
      [freeMug, lines(20, oneMug, '20% of one mug')],
      initial,
      'a mug: 400, 20% of one mug: 80 = 920',
    ],
    [
      'of the original units that others replaced',
      [mugForTea, lines(20)],
      initial,
      'a mug for a tea: 100, 20% of lines: 200 = 800',
    ],
    [
      'never of more than the rest of lines, with free units on them',
      [lines(90), freeMug, lines(20)],
      initial,
      '90% of lines: 900, a mug: 400, 20% of lines: 100 = 0',
    ],
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

describe('each line is discounted once:', () => {
  hold([
    [
      'a discounted line is out of reach',
      [lines(50, tea), eachLine(100)],
      once,
      '50% of lines: 300, 100 a line: 100 = 600',
    ],
    ['other lines and the order are within reach', [lines(50), percent(10)], once, '50% of lines: 500, 10%: 50 = 450'],
    [
      'otherwise lines are reached one after the other',
      [lines(50, tea), eachLine(100)],
      {},
      '50% of lines: 300, 100 a line: 200 = 500',
    ],
    [
      'a discount that reaches no line has no effect',
      [lines(50), eachLine(100)],
      once,
      '50% of lines: 500, 100 a line: 0 = 500',
    ],
    [
      'a discount that reaches no line is left out, if the rules say so',
      [lines(50), eachLine(100)],
      { ...once, redeemables_no_effect_rule: 'SKIP' },
      '50% of lines: 500, 100 a line: no_effect = 500',
    ],
  ]);
});
