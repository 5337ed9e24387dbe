import { describe, expect, test } from 'vitest';
import { handler as qualify } from '../../functions/qualifications/qualify.ts';
import { handler as redeem } from '../../functions/redemptions/redeem-redeemables.ts';
import { handler as validate } from '../../functions/validations/validate-redeemables.ts';
import { caller } from '../support/call.ts';
import { assignedRule, coupon } from '../support/lists.ts';
import { loadProject } from '../support/project.ts';

/** Tricks with lines: a line without units, or one of two products, must not deceive a rule. */
const rules: Record<string, object> = {
  'any tea': { name: 'order.items.any', conditions: { $is: [{ id: 'prod_tea', object: 'product' }] } },
  'any large tea': { name: 'order.items.any', conditions: { $is: [{ id: 'sku_large', object: 'sku' }] } },
  'any by source id': { name: 'order.items.any', conditions: { $is: [{ id: 'tea', object: 'product' }] } },
  'a tea': { name: 'product.id', conditions: { $is: ['prod_tea'] } },
  'no tea': { name: 'order.items.none', conditions: { $is: [{ id: 'prod_tea', object: 'product' }] } },
  'all tea': { name: 'order.items.every', conditions: { $is: [{ id: 'prod_tea', object: 'product' }] } },
  'two lines': { name: 'order.items.count', conditions: { $more_than_or_equal: [2] } },
  'a price of 0': { name: 'order.items.price_any', conditions: { $is: [0] } },
};
const codes = Object.keys(rules);
const ruleId = (code: string) => `val_${code.replaceAll(' ', '_')}`;

const { credentials: headers } = await loadProject({
  products: [
    { id: 'prod_tea', source_id: 'tea', price: 500 },
    { id: 'prod_mug', source_id: 'mug', price: 900 },
    { id: 'prod_plain', price: 100 },
  ],
  skus: [
    { id: 'sku_large', source_id: 'large', product_id: 'prod_tea', price: 700 },
    { id: 'sku_red', product_id: 'prod_mug' },
  ],
  validation_rules: codes.map((code) => ({ id: ruleId(code), name: code, rules: { 1: rules[code] } })),
  vouchers: codes.map((code) => coupon(code, { type: 'AMOUNT', amount_off: 1, effect: 'APPLY_TO_ORDER' })),
  validation_rules_assignments: codes.map((code) => assignedRule(ruleId(code), 'voucher', code)),
});

/** Returns the codes that the order can use. */
async function usable(items: object[]): Promise<string[]> {
  const found: string[] = [];
  for (const id of codes) {
    const body = { redeemables: [{ object: 'voucher', id }], order: { items } };
    if ((await caller(validate)({ headers, body })).body.valid) found.push(id);
  }
  const { body } = await caller(qualify)({ headers, body: { order: { items }, options: { limit: 50 } } });
  expect(body.redeemables.data.map(({ id }: { id: string }) => id).sort()).toEqual(found.toSorted());
  return found;
}

const mug = { product_id: 'prod_mug', quantity: 1 };

describe('a line without units', () => {
  test.each([
    ['of a product', { product_id: 'prod_tea', quantity: 0 }],
    ['of a SKU', { sku_id: 'sku_large', quantity: 0 }],
    ['with an amount', { product_id: 'prod_tea', quantity: 0, amount: 100 }],
  ])('%s is not a purchase', async (_, line) => {
    expect(await usable([line, mug])).toEqual(['no tea']);
    const body = { redeemables: [{ object: 'voucher', id: 'any tea' }], order: { items: [line, mug] } };
    expect((await caller(redeem)({ headers, body })).body).toMatchObject({ code: 400, key: 'order_rules_violated' });
  });

  test('is not a line beside purchased ones', async () => {
    const all = await usable([
      { sku_id: 'sku_large', quantity: 1 },
      { product_id: 'prod_mug', quantity: 0 },
    ]);
    expect(all).toEqual(['any tea', 'any large tea', 'any by source id', 'a tea', 'all tea']);
  });
});

describe('a line with two products belongs to the one that it names by id', () => {
  test.each<[string, object]>([
    ["and not to the source id's", { product_id: 'prod_mug', source_id: 'tea' }],
    ['with a source id in its product', { product_id: 'prod_mug', product: { source_id: 'tea' } }],
    ['where that has no source id', { product_id: 'prod_plain', source_id: 'tea', product: { source_id: 'tea' } }],
    ['of the SKU, if it names one', { sku_id: 'sku_red', product_id: 'prod_tea', source_id: 'tea' }],
    ['of the SKU, with a source id of another', { sku_id: 'sku_red', source_id: 'large', related_object: 'sku' }],
    [
      'of the SKU, with a source id in it',
      { sku_id: 'sku_red', sku: { source_id: 'large' }, product: { id: 'prod_tea' } },
    ],
  ])('%s', async (_, line) => {
    expect(await usable([{ ...line, quantity: 1 }])).toEqual(['no tea']);
  });

  test('and has the price of that product', async () => {
    const body = {
      redeemables: [{ object: 'voucher', id: 'no tea' }],
      order: { items: [{ sku_id: 'sku_red', product_id: 'prod_plain', quantity: 1 }] },
    };
    const { order } = (await caller(validate)({ headers, body })).body;
    expect(order).toMatchObject({ amount: 900, items: [{ product_id: 'prod_mug', product: { id: 'prod_mug' } }] });
  });

  test('a source id alone works like the id', async () => {
    for (const line of [{ source_id: 'tea' }, { product: { source_id: 'tea' } }]) {
      const found = await usable([{ ...line, quantity: 1 }]);
      expect(found).toEqual(['any tea', 'any by source id', 'a tea', 'all tea']);
    }
  });
});
