import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { amountsOf } from '../../console/core/amount.ts';

const space = String.fromCodePoint(0xa0);

/** Lists currencies with an amount of their minor units (ISO 4217), as a Briton and a German see and type it. */
const currencies = [
  ['JPY', 0, 1_250, 'JP¥1,250', `1.250${space}¥`, '1250', '1250', '1.250'],
  ['EUR', 2, 125_050, '€1,250.50', `1.250,50${space}€`, '1250.50', '1250,50', '1.250,50'],
  ['KWD', 3, 1_250_500, `KWD${space}1,250.500`, `1.250,500${space}KWD`, '1250.500', '1250,500', '1.250,500'],
  ['', 2, 125_050, '1,250.50', '1.250,50', '1250.50', '1250,50', '1.250,50'],
] as const;

describe.each(currencies)('an amount of the currency "%s"', (code, decimals, minor, inBritain, inGermany, ...typed) => {
  const [britain, germany] = [amountsOf({ code, decimals }, 'en-GB'), amountsOf({ code, decimals }, 'de')];

  test('is shown with the decimals of the project, in the words of the browser', () => {
    expect(britain.write(minor)).toBe(inBritain);
    expect(germany.write(minor)).toBe(inGermany);
  });

  test('is typed with these decimals, with groups of digits or without', () => {
    const [plain, ofGermans, withGroups] = typed;
    expect([britain.writePlain(minor), germany.writePlain(minor)]).toEqual([plain, ofGermans]);
    expect([britain.read(plain), germany.read(ofGermans), germany.read(withGroups)]).toEqual([minor, minor, minor]);
    expect(britain.of(1_250)).toBe(1_250 * 10 ** decimals);
  });
});

test('decimals that a project says itself count, whatever browsers know of its currency', () => {
  const amounts = amountsOf({ code: 'JPY', decimals: 2 }, 'de');
  expect([amounts.write(1_250), amounts.read('12,5')]).toEqual([`12,50${space}¥`, 1_250]);
});

test('an amount of yen has no fraction, so each mark divides groups', () => {
  const amounts = amountsOf({ code: 'JPY', decimals: 0 }, 'en');
  expect(['1,200', '1.200', '1 200', '1200'].map(amounts.read)).toEqual([1_200, 1_200, 1_200, 1_200]);
  const pattern = new RegExp(`^(?:${amounts.pattern})$`);
  expect(['1200', '1,200', '12.5'].map((text) => pattern.test(text))).toEqual([true, true, false]);
});

const locales = ['en', 'de', 'de-CH', 'fr', 'sv', 'da', 'pt-BR', 'hi', 'ar-EG', 'fa', 'he', 'ja'];

test.each(locales)('the locale %s reads what it writes into a field', (locale) => {
  const drawn = fc.record({ minor: fc.integer({ min: -1e12, max: 1e12 }), decimals: fc.integer({ min: 0, max: 4 }) });
  fc.assert(
    fc.property(drawn, ({ minor, decimals }) => {
      const amounts = amountsOf({ code: 'KWD', decimals }, locale);
      expect(amounts.read(amounts.writePlain(minor))).toBe(minor);
    }),
  );
});
