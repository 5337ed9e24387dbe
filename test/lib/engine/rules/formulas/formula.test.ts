import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { evaluateFormula } from '#engine/rules/formulas/evaluate.ts';
import { compileMoney } from '#engine/rules/formulas/formula.ts';
import { FormulaFault, maxFormulaDepth, maxFormulaLength, parseFormula } from '#engine/rules/formulas/parse.ts';
import { facts } from '../../../../support/formula-facts.ts';

function value(text: string): unknown {
  try {
    return evaluateFormula(parseFormula(text), facts);
  } catch (error) {
    if (error instanceof FormulaFault) return 'fault';
    throw error;
  }
}

describe('a formula', () => {
  test.each<[string, unknown]>([
    // Operators.
    ['1 + 2 * 3', 7],
    ['(1 + 2) * 3', 9],
    ['10 - 4 - 3', 3],
    ['2 * -3', -6],
    ['7 % 4', 3],
    ['6 ÷ 4 × 2', 3],
    ['1 / 0', undefined],
    ['0 % 0', undefined],
    ['1 + "1"', undefined],
    ['2 > 1 AND 1 < 2', true],
    ['1 > 2 or 1 = 1', true],
    ['1 > 2 OR 2 > 1 AND 1 > 2', false],
    ['"gold" is CUSTOMER_METADATA("level")', true],
    ['CUSTOMER_METADATA("level") isNot "gold"', false],
    ['ORDER_METADATA("tags") contains "b"', true],
    ['"summer sale" contains "sale"', true],
    ['"summer" startsWith "su"', true],
    ['"summer" endsWith "su"', false],
    ['"b" IN_ARRAY "a, b"', true],
    ['"b" NOT_IN_ARRAY "a,b"', false],
    // Functions.
    ['MIN(3; 1; 2)', 1],
    ['MAX(3; 1; 2)', 3],
    ['MIN()', undefined],
    ['POW(2; 10)', 1024],
    ['POW(10; 400)', undefined],
    ['POW(2)', undefined],
    ['ROUND(1.005; 2)', 1.01],
    ['ROUND(2.5)', 3],
    ['FLOOR(1234; -2)', 1200],
    ['CEIL(1.001; 2)', 1.01],
    ['IF(1 > 2; 5; 6)', 6],
    ['IF(2 > 1; 5; 1 / 0)', 5],
    ['IF(1; 5; 6)', undefined],
    ['DEFAULT_TO(ORDER_METADATA("none"); 4)', 4],
    ['DEFAULT_TO(3; 4)', 3],
    ['SWITCH(CUSTOMER_METADATA("level"); SWITCH_CASE("silver"; 1) SWITCH_CASE("gold"; 2); 3)', 2],
    ['SWITCH("none"; SWITCH_CASE("silver"; 1); SWITCH_CASE("gold"; 2); 3)', 3],
    ['SWITCH("none"; SWITCH_CASE("silver"; 1))', undefined],
    // The order, in major currency units.
    ['ORDER_AMOUNT', 27],
    ['order_amount', 27],
    ['ORDER_INITIAL_AMOUNT', 27],
    ['ORDER_ITEMS_QUANTITY', 2],
    ['ORDER_UNITS_QUANTITY', 4],
    ['ORDER_METADATA("share") * 100', 25],
    ['ORDER_METADATA("toString")', undefined],
    ['ORDER_METADATA("constructor")', 7],
    // Lines.
    ['ORDER_ITEM_PRICE', 5],
    ['ORDER_ITEM_AMOUNT', 15],
    ['ORDER_ITEM_SUBTOTAL', 12],
    ['ORDER_ITEM_UNITS_QUANTITY', 3],
    ['ORDER_ITEM_METADATA("gift")', true],
    ['ORDER_ITEM_PRODUCT_METADATA("tax")', 0.2],
    ['CHEAPEST_ORDER_ITEM_PRICE', 5],
    ['MOST_EXPENSIVE_ORDER_ITEM_PRICE', 12],
    ['MOST_EXPENSIVE_ORDER_ITEM_METADATA("size")', 12],
    ['CHEAPEST_ORDER_ITEM_PRODUCT_METADATA("tax")', 0.2],
    ['ORDER_ITEM_METADATA', undefined],
    // The redeemable.
    ['REDEEMABLE_METADATA("off")', 20],
    ['REDEMPTION_METADATA("till")', 3],
    ['PUBLICATION_METADATA("source")', 'mail'],
    ['VOUCHER_REDEMPTION_QUANTITY - VOUCHER_REDEEMED_QUANTITY', 6],
    ['VOUCHER_PUBLISH_COUNT', 2],
    ['VOUCHER_EXPIRATION_DATE', undefined],
    ['PROMOTION_TIER_START_DATE', undefined],
    // Dates.
    ['VOUCHER_START_DATE IS_BEFORE TODAY', true],
    ['PROMOTION_TIER_EXPIRATION_DATE IS_AFTER NOW', true],
    ['NOW > TODAY', true],
    ['TODAY DATE_IS DATE("2026-03-31")', true],
    ['NOW DATE_IS_NOT DATE_TIME("2026-03-31T01:00:00Z")', false],
    ['DAYS_SINCE(DATE("2026-03-01"))', 30],
    ['TODAY DAYS_SINCE DATE("2026-03-01")', 30],
    ['DAYS_UNTIL(DATE("2026-04-02"))', 2],
    ['MONTHS_SINCE(DATE("2026-01-31"))', 2],
    ['MONTHS_SINCE(DATE("2026-02-28"))', 1],
    ['MONTHS_UNTIL(DATE("2026-04-30"))', 1],
    ['YEARS_SINCE(CUSTOMER_BIRTHDATE)', 25],
    ['DAY_OF_MONTH()', 31],
    ['MONTH() + YEAR()', 2029],
    ['MONTH(CUSTOMER_BIRTHDATE)', 4],
    ['DATE("2026-02-30")', undefined],
    ['DATE(5)', undefined],
    // Unknown data has no value.
    ['NOTHING', undefined],
    ['NOTHING("x")', undefined],
    ['TOSTRING', undefined],
    ['CONSTRUCTOR("x")', undefined],
    // Texts that are not formulas.
    ['', 'fault'],
    ['1 +', 'fault'],
    ['(1', 'fault'],
    ['1)', 'fault'],
    ['MAX(1; 2', 'fault'],
    ['1 2', 'fault'],
    ['"open', 'fault'],
    ['1 & 2', 'fault'],
    [`${'('.repeat(maxFormulaDepth)}1${')'.repeat(maxFormulaDepth)}`, 'fault'],
    [`${'('.repeat(maxFormulaDepth - 1)}1${')'.repeat(maxFormulaDepth - 1)}`, 1],
    [`1${' '.repeat(maxFormulaLength)}`, 'fault'],
    [Array.from({ length: 2_000 }, () => '1').join('+'), 2_000],
  ])('%s', (text, expected) => {
    expect(value(text)).toEqual(expected);
  });

  test('never throws for any text', () => {
    const pieces = fc.array(
      fc.oneof(
        fc.constantFrom(...'();+-*/%<>=', '"a"', '5', '0.1', ' AND ', ' is ', ' contains '),
        fc.constantFrom(
          ...['MIN', 'IF', 'SWITCH', 'SWITCH_CASE', 'ROUND', 'DATE', 'DAYS_SINCE', 'MONTHS_UNTIL', 'POW'].map(
            (name) => `${name}(`,
          ),
        ),
        fc.constantFrom(
          ...['NOW', 'ORDER_AMOUNT', 'ORDER_METADATA("tags")', 'CUSTOMER_BIRTHDATE', '"2026-01-01"', '1e3'],
          '9'.repeat(400),
        ),
        fc.string({ maxLength: 3 }),
      ),
      { maxLength: 12 },
    );
    fc.assert(
      fc.property(pieces, (some) => {
        const found = value(some.join(''));
        if (typeof found === 'number') expect(Number.isFinite(found)).toBe(true);
        const off = compileMoney(5, some.join(''))(facts);
        expect(Number.isSafeInteger(off) && off >= 0).toBe(true);
      }),
      { numRuns: process.env.LONG_TESTS ? 10_000 : 1_000, seed: 20_261_122 },
    );
  });
});
