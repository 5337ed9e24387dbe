import { describe, expect, test } from 'vitest';
import { evaluateFormula } from '#engine/rules/formulas/evaluate.ts';
import type { FormulaLine } from '#engine/rules/formulas/facts.ts';
import { compileMoney, findFormulaFault } from '#engine/rules/formulas/formula.ts';
import { maxFormulaParts } from '#engine/rules/formulas/formula-parts.ts';
import { parseFormula } from '#engine/rules/formulas/parse.ts';

/** Lines that count how often their units are read. */
function countedLines(number: number) {
  let looks = 0;
  const lines = Array.from({ length: number }, (_, index) => ({
    get quantity() {
      looks += 1;
      return 1 + (index % 3);
    },
    amount: 100 + ((index * 7) % 50),
  }));
  return { lines, looks: () => looks };
}

const names = ['CHEAPEST_ORDER_ITEM_PRICE', 'MOST_EXPENSIVE_ORDER_ITEM_SUBTOTAL', 'ORDER_UNITS_QUANTITY'];

test('the lines of a cart are searched once, however often a formula uses the cheapest line', () => {
  const { lines, looks } = countedLines(500);
  const cart = { lines, amount: 100_000 };
  const figure = compileMoney(5, Array.from({ length: 190 }, (_, index) => names[index % names.length]).join('+'));
  for (const line of lines) expect(figure({ cart, line })).toBeGreaterThan(0);
  // Each line is compared with the best so far, in either direction, by a price that reads its units.
  expect(looks()).toBeLessThan(20 * lines.length);
});

test('lines of another cart are searched again', () => {
  const value = (lines: readonly FormulaLine[]) =>
    evaluateFormula(parseFormula('CHEAPEST_ORDER_ITEM_PRICE + ORDER_ITEMS_QUANTITY'), { cart: { lines, amount: 1 } });
  const lines = [{ quantity: 2, amount: 500 }];
  expect([value(lines), value([...lines, { quantity: 1, amount: 100 }]), value(lines)]).toEqual([3.5, 3, 3.5]);
});

test('a line without units is neither counted nor the cheapest', () => {
  const lines = [
    { quantity: 0, amount: 0 },
    { quantity: 2, amount: 500 },
    { quantity: 0, amount: 9_000 },
  ];
  const all = ['CHEAPEST_ORDER_ITEM_PRICE', 'MOST_EXPENSIVE_ORDER_ITEM_PRICE', 'ORDER_ITEMS_QUANTITY'];
  expect(all.map((text) => evaluateFormula(parseFormula(text), { cart: { lines, amount: 500 } }))).toEqual([
    2.5, 2.5, 1,
  ]);
});

describe('a formula is too costly to be created', () => {
  const ones = (number: number) => Array(number).fill('1').join('+');
  const tooCostly = `must have at most ${maxFormulaParts} parts: numbers, texts, names, signs and brackets`;
  test.each([
    ['with one part more than allowed', ones(maxFormulaParts / 2 + 1), tooCostly],
    ['with one less', ones(maxFormulaParts / 2), undefined],
    ['with long names in few parts', Array(150).fill('ORDER_UNITS_QUANTITY').join(' * '), undefined],
  ])('%s', (_, text, fault) => {
    expect(findFormulaFault(text)).toBe(fault);
  });

  test('a stored formula of that size is evaluated anyway', () => {
    expect(compileMoney(5, ones(2_000))({ cart: { lines: [], amount: 0 } })).toBe(200_000);
  });
});

test('a list between commas is split once for all uses', () => {
  const list = Array.from({ length: 9 }, (_, index) => ` a${index} ,b${index}`);
  const asked = (value: string, text: string | undefined) =>
    evaluateFormula(parseFormula(`"${value}" IN_ARRAY ORDER_METADATA("list")`), {
      cart: { lines: [], amount: 0 },
      order_metadata: { list: text },
    });
  for (const [index, text] of [...list.entries(), ...list.entries()]) {
    expect([asked(`a${index}`, text), asked(`b${index + 1}`, text)]).toEqual([true, false]);
  }
});
