import { describe, expect, test } from 'vitest';
import { isScopeGranted, parseScopes, scopeNames } from '#kernel/access/scopes.ts';

const families = ['campaigns', 'vouchers', 'promotions', 'loyalties', 'customers', 'events'] as const;

test("the contract's 42 scopes exist, and one of our own", () => {
  expect(scopeNames).toHaveLength(43);
  expect(new Set(scopeNames).size).toBe(43);
  expect(scopeNames).toContain('reports');
});

describe.each(scopeNames)('the scope %s', (scope) => {
  test.each(families)('opens the paths of %s only as api or as that family', (family) => {
    expect(isScopeGranted([scope], family)).toBe(scope === 'api' || scope === family);
  });

  test('can be requested, spelled exactly like this', () => {
    expect(parseScopes(scope)).toEqual({ scopes: [scope] });
    expect(parseScopes(scope.toUpperCase())).toEqual({ fault: expect.stringContaining('is no scope') });
  });
});

test('scopes keep the requested order, without repeats', () => {
  expect(parseScopes('vouchers api vouchers SKUs')).toEqual({ scopes: ['vouchers', 'api', 'SKUs'] });
});

test.each([
  ['', 'at least one'],
  [' ', 'single spaces'],
  [' api', 'single spaces'],
  ['api ', 'single spaces'],
  ['api  vouchers', 'single spaces'],
  ['api,vouchers', '","'],
  ['api\tvouchers', 'is no scope'],
  ['api coupons gifts', '"coupons", "gifts"'],
  ['constructor', '"constructor"'],
])('%j is refused, and the fault names what is wrong', (text, named) => {
  expect(parseScopes(text)).toEqual({ fault: expect.stringContaining(named) });
});
