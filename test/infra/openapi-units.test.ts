import { expect, test } from 'vitest';
import { compileMoney, compilePercents, compileUnits } from '#engine/rules/formulas/formula.ts';
import { isJson } from '../../infra/openapi/schemas.ts';
import { theDocument } from '../support/openapi.ts';

/** Returns every property with the name in the document, at any place. */
function propertiesNamed(name: string): unknown[] {
  const found: unknown[] = [];
  JSON.stringify(theDocument(), (key, value) => {
    if (key === 'properties' && isJson(value) && name in value) found.push(value[name]);
    return value;
  });
  return found;
}

test.each([
  ['exchange_ratio', /major currency units .* With 1 and 1, 18 points pay 18\.00/],
  ['points_ratio', /points in one block/],
])('%s names its unit in every request and reply', (name, words) => {
  const found = propertiesNamed(name);
  expect(found.length).toBeGreaterThan(3);
  for (const property of found) expect(property).toMatchObject({ description: expect.stringMatching(words) });
});

const facts = {
  cart: { lines: [], amount: 20_000 },
  line: { product: undefined, sku: undefined, quantity: 2, amount: 6_000 },
};

/** The figures that the descriptions name: minor units of money, percents, units and points. */
test.each([
  ['amount_off_formula', compileMoney, 2_000, '20.00'],
  ['fixed_amount_formula', compileMoney, 19_500, '195.00'],
  ['price_formula', compileMoney, 1_500, '15.00'],
  ['percent_off_formula', compilePercents, 10, '10 percent'],
  ['unit_off_formula', compileUnits, 2, '2 units'],
  ['points_formula', compileUnits, 50, '50 points'],
])('%s says that amounts are in major units, with an example that is true', (name, compile, expected, words) => {
  const found = propertiesNamed(name);
  expect(found.length).toBeGreaterThan(0);
  for (const property of found) {
    const { description } = property as { description: string };
    expect(description).toContain('in major currency units: `');
    expect(description).toContain(words);
    expect(compile(1, /units: `(.+?)`/.exec(description)?.[1])(facts)).toBe(expected);
  }
});
