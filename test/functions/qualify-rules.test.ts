import { describe, expect, test } from 'vitest';
import { off } from '../support/qualifying.ts';
import { carts, line, openTiers } from '../support/qualifying-tiers.ts';

const ask = await openTiers();

describe('a bundle', () => {
  const tea = { id: 'prod_tea', object: 'product' };
  const mug = { id: 'prod_mug', object: 'product' };
  const lenient = ['AUDIENCE_ONLY', 'PRODUCTS', 'PRODUCTS_BY_CUSTOMER'];

  test.each(lenient)('is shown in %s with its missing units if the cart does not complete it', async (scenario) => {
    const customer = { source_id: 'ada' };
    const { of } = await ask({ scenario, customer, order: { items: [line('prod_mug'), line('prod_tea')] } });
    const { result, order } = of('promo_bundle');
    expect(order).toBeUndefined();
    expect(result).toEqual({
      discount: { ...off(200), is_dynamic: false },
      bundle: {
        quantity: 0,
        limit: 3,
        identified: [
          { ...tea, item_index: 1, item_quantity: 1 },
          { ...mug, item_index: 0, item_quantity: 1 },
        ],
        missing: [{ ...tea, item_quantity: 1 }],
      },
    });
  });

  test.each([...lenient, 'ALL'])('counts twice in %s if it is complete twice', async (scenario) => {
    const { of } = await ask({ scenario, order: { items: [line('prod_tea', 5), line('prod_mug', 2)] } });
    const { result, order } = of('promo_bundle');
    expect(order).toMatchObject({ amount: 4_900, total_applied_discount_amount: 400, total_amount: 4_500 });
    expect(result.bundle).toEqual({
      quantity: 2,
      limit: 3,
      identified: [
        { ...tea, item_index: 0, item_quantity: 4 },
        { ...mug, item_index: 1, item_quantity: 2 },
      ],
      missing: [],
    });
  });

  test('misses all units if the cart has none, also without an order', async () => {
    for (const order of [carts.coal, undefined]) {
      const { of } = await ask({ scenario: 'AUDIENCE_ONLY', ...(order ? { order } : {}) });
      expect(of('promo_bundle').result.bundle).toEqual({
        quantity: 0,
        limit: 3,
        identified: [],
        missing: [
          { ...tea, item_quantity: 2 },
          { ...mug, item_quantity: 1 },
        ],
      });
    }
  });
});

describe('the assignments of validation rules', () => {
  type Statuses = [string, string, object, string, string, string[]];
  const teaCart = carts.tea;
  const statuses: Statuses[] = [
    ['ALL', 'promo_needs_tea', teaCart, 'val_needs_tea', 'VALID', []],
    ['ALL', 'promo_tea_for_vips', teaCart, 'val_tea_for_vips', 'VALID', []],
    ['ALL', 'ADA-TEA', teaCart, 'val_codes', 'VALID', []],
    ['ALL', 'camp_tea', teaCart, 'val_codes', 'VALID', []],
    ['ALL', 'promo_bundle', carts['both, enough for a bundle'], 'val_bundle', 'VALID', []],
    ['AUDIENCE_ONLY', 'promo_tea_for_vips', teaCart, 'val_tea_for_vips', 'VALID', []],
    ['AUDIENCE_ONLY', 'promo_much_tea', teaCart, 'val_much_tea', 'PARTIALLY_VALID', ['order.amount']],
    ['AUDIENCE_ONLY', 'promo_needs_no_tea', teaCart, 'val_needs_no_tea', 'PARTIALLY_VALID', ['order.items.none']],
    ['AUDIENCE_ONLY', 'promo_bundle', teaCart, 'val_bundle', 'INVALID', []],
    ['PRODUCTS', 'promo_tea_for_vips', teaCart, 'val_tea_for_vips', 'PARTIALLY_VALID', ['customer.metadata']],
    ['PRODUCTS', 'promo_bundle', teaCart, 'val_bundle', 'INVALID', []],
    ['PRODUCTS', 'promo_bundle', carts['both, enough for a bundle'], 'val_bundle', 'VALID', []],
    ['PRODUCTS_BY_CUSTOMER', 'promo_needs_tea', teaCart, 'val_needs_tea', 'PARTIALLY_VALID', ['order.items.any']],
    ['CUSTOMER_WALLET', 'ADA-TEA', teaCart, 'val_codes', 'VALID', []],
  ];

  test.each(statuses)('in %s: those of %s', async (scenario, id, order, rule_id, status, omitted) => {
    const customer = { source_id: 'ada' };
    const { of } = await ask({ scenario, order, customer, options: { limit: 50, expand: ['validation_rules'] } });
    const found = of(id);
    expect(found.validation_rule_id).toBe(rule_id);
    expect(found.validation_rules_assignments).toMatchObject({ object: 'list', data_ref: 'data', total: 1 });
    expect(found.validation_rules_assignments.data).toMatchObject([
      { rule_id, validation_status: status, validation_omitted_rules: omitted },
    ]);
  });

  test('are shown only on request, and only for a resource that has some', async () => {
    const plain = await ask({ order: carts.tea });
    expect(plain.data.filter((one: object) => 'validation_rules_assignments' in one)).toEqual([]);
    const { of } = await ask({ order: carts.tea, options: { limit: 50, expand: ['validation_rules'] } });
    expect(of('promo_order')).not.toHaveProperty('validation_rules_assignments');
    expect(of('promo_order').validation_rule_id).toBeUndefined();
  });
});
