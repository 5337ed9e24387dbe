import { describe, expect, test } from 'vitest';
import { carts, names, openTiers } from '../support/qualifying-tiers.ts';

const ask = await openTiers();

type Row = [scenario: string, cart: keyof typeof carts, customer: string | undefined, ...found: string[]];

const forTea = ['items', 'tea', 'teas', 'OPEN-TEA', 'camp_tea'];
const forMug = ['items', 'mug', 'all but tea', 'free mug'];
const ofTea = [...forTea, 'tea for VIPs', 'much tea'];
const all = [...names, 'OPEN-TEA', 'OPEN-ORDER', 'camp_tea'];
const without = (list: string[], ...gone: string[]) => list.filter((name) => !gone.includes(name));

const rows: Row[] = [
  // Discounts for lines of the cart, without regard to the customer and the cart's value.
  ['PRODUCTS_DISCOUNT', 'tea', undefined, ...ofTea],
  ['PRODUCTS_DISCOUNT', 'tea', 'ada', ...ofTea],
  ['PRODUCTS_DISCOUNT', 'mug', 'ada', ...forMug],
  ['PRODUCTS_DISCOUNT', 'both, enough for a bundle', 'eve', ...new Set([...ofTea, ...forMug])],
  ['PRODUCTS_DISCOUNT', 'coal', 'ada', 'items', 'all but tea'],
  ['PRODUCTS_DISCOUNT', 'none', 'ada'],
  // The same, with rules that need such a line.
  ['PRODUCTS', 'tea', undefined, ...ofTea, 'needs tea', 'bundle'],
  ['PRODUCTS', 'mug', 'eve', ...forMug, 'bundle'],
  ['PRODUCTS', 'coal', 'eve', 'items', 'all but tea'],
  ['PRODUCTS', 'none', 'ada'],
  // The same for this customer, with the customer's own vouchers.
  ['PRODUCTS_DISCOUNT_BY_CUSTOMER', 'tea', 'ada', ...ofTea, 'ADA-TEA'],
  ['PRODUCTS_DISCOUNT_BY_CUSTOMER', 'tea', 'eve', ...without(ofTea, 'tea for VIPs'), 'EVE-TEA'],
  ['PRODUCTS_DISCOUNT_BY_CUSTOMER', 'tea', undefined, ...without(ofTea, 'tea for VIPs')],
  ['PRODUCTS_DISCOUNT_BY_CUSTOMER', 'mug', 'ada', ...forMug],
  ['PRODUCTS_BY_CUSTOMER', 'tea', 'ada', ...ofTea, 'ADA-TEA', 'needs tea', 'bundle'],
  ['PRODUCTS_BY_CUSTOMER', 'tea', 'eve', ...without(ofTea, 'tea for VIPs'), 'EVE-TEA', 'needs tea', 'bundle'],
  ['PRODUCTS_BY_CUSTOMER', 'mug', 'eve', ...forMug, 'bundle'],
  // Decided by the customer alone, for any cart.
  ['AUDIENCE_ONLY', 'tea', 'ada', ...all, 'ADA-TEA', 'GIFT'],
  ['AUDIENCE_ONLY', 'none', 'ada', ...all, 'ADA-TEA', 'GIFT'],
  ['AUDIENCE_ONLY', 'coal', 'eve', ...without(all, 'tea for VIPs'), 'EVE-TEA'],
  ['AUDIENCE_ONLY', 'mug', undefined, ...without(all, 'tea for VIPs')],
  // The customer's own vouchers that the cart qualifies for.
  ['CUSTOMER_WALLET', 'tea', 'ada', 'ADA-TEA', 'GIFT'],
  ['CUSTOMER_WALLET', 'tea', 'eve', 'EVE-TEA'],
  ['CUSTOMER_WALLET', 'tea', undefined],
];

describe('a scenario shows', () => {
  test.each(rows)('%s with %s for %s its own redeemables', async (scenario, cart, customer, ...found) => {
    const { called } = await ask({
      scenario,
      ...(carts[cart] ? { order: carts[cart] } : {}),
      ...(customer ? { customer: { source_id: customer } } : {}),
    });
    expect(called).toEqual(found.sort());
  });
});

describe('the scenario ALL', () => {
  const rowsOfAll: [keyof typeof carts, string | undefined, Record<string, boolean>][] = [
    [
      'tea',
      'ada',
      { 'needs tea': true, 'needs no tea': false, 'tea for VIPs': true, 'much tea': false, bundle: false },
    ],
    [
      'mug',
      'eve',
      { 'needs tea': false, 'needs no tea': true, 'tea for VIPs': false, 'much tea': false, bundle: false },
    ],
    ['both, enough for a bundle', undefined, { 'needs tea': true, 'tea for VIPs': false, bundle: true }],
  ];

  test.each(rowsOfAll)('with %s for %s checks customer and cart', async (cart, customer, expected) => {
    const { called } = await ask({
      order: carts[cart],
      ...(customer ? { customer: { source_id: customer } } : {}),
    });
    expect(called).toContain('order');
    const found = Object.fromEntries(Object.keys(expected).map((name) => [name, called.includes(name)]));
    expect(found).toEqual(expected);
  });
});
