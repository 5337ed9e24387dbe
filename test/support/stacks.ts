import { expect, test } from 'vitest';
import type { Redeemable } from '#engine/checkout/engine/redeemable.ts';
import type { DiscountScope } from '#engine/checkout/engine/selection.ts';
import { defaultStackingRules, type StackingRules } from '#engine/checkout/engine/stacking-rules.ts';
import type { Benefit } from '#engine/rules/benefit.ts';
import { checkedOut, coupon, entry, everything, included, orderOf } from './checkout.ts';
import * as discounts from './discounts.ts';

/**
 * Expected results of stacks, worked out by hand: the discount of each redeemable, in order of application, or why it
 * has none. The order has tea for 600 and mugs for 400.
 */

const order = orderOf([
  { product_id: 'prod_tea', quantity: 2, price: 300 },
  { product_id: 'prod_mug', quantity: 1, price: 400 },
]);

type Named = Redeemable & { readonly name: string };

/**
 * Parses a name: `e1-…` has the exclusive category `cat_e1`, `c` is common, and `j1.5-…` has the joint category `cat_j1` with hierarchy 5.
 */
function named(name: string, made: Redeemable): Named {
  const [, id, hierarchy] = /^([cje]\w)(?:\.(\d))?-/.exec(name) ?? [];
  const category =
    id === undefined ? undefined : { id: `cat_${id}`, hierarchy: hierarchy === undefined ? 1 : Number(hierarchy) };
  return { ...made, name, category };
}

export const off = (amount_off: number, name = `${amount_off}`) =>
  named(name, coupon(discounts.amount(amount_off, 'APPLY_TO_ORDER')));
export const percent = (percent_off: number, name = `${percent_off}%`) =>
  named(name, coupon(discounts.percent(percent_off, 'APPLY_TO_ORDER')));
export const fixed = (fixed_amount: number) =>
  named(`to ${fixed_amount}`, coupon(discounts.fixed(fixed_amount, 'APPLY_TO_ORDER')));
export const tea = included(entry('prod_tea'));
export const oneMug = included(entry('prod_mug', { quantity_limit: 1 }));
export const lines = (percent_off: number, scope: DiscountScope = everything, name = `${percent_off}% of lines`) =>
  named(name, coupon(discounts.percent(percent_off, 'APPLY_TO_ITEMS'), scope));
export const eachLine = (amount_off: number) =>
  named(`${amount_off} a line`, coupon(discounts.amount(amount_off, 'APPLY_TO_ITEMS')));
const free = (name: string, unit_type: string) =>
  named(name, coupon(discounts.units({ unit_off: 1, unit_type, effect: 'ADD_NEW_ITEMS' })));
export const freeMug = free('a mug', 'prod_mug');
/** The order has no line of this product. */
export const freeTin = free('a tin', 'sku_tin');
/** The discount covers one unit of tea. */
export const mugForTea = named(
  'a mug for a tea',
  coupon(
    discounts.units({ unit_off: 1, unit_type: 'prod_mug', effect: 'REPLACE_ITEMS' }),
    included(entry('prod_tea', { quantity_limit: 1 })),
  ),
);
const paying = (name: string, benefit: Benefit) => named(name, { benefit, scope: everything });
export const gift = paying('gift', { kind: 'gift', gift: { balance: 300 } });
export const exclusiveGift = paying('e1-gift', { kind: 'gift', gift: { balance: 300 } });
export const points = paying('points', {
  kind: 'points',
  points: { balance: 100, points_ratio: 10, exchange_ratio: 1 },
});
export const failing = (one: Named): Named => ({ ...one, check: () => ({ key: 'voucher_expired' }) });

const categories: Partial<StackingRules> = { exclusive_categories: ['cat_e1', 'cat_e2'], joint_categories: ['cat_j1'] };

type Row = [what: string, sent: Named[], rules: Partial<StackingRules>, came: string];

/** Returns the result of each redeemable by name, and the amount left to pay. */
export function come(sent: readonly Named[], some: Partial<StackingRules>) {
  const rules: StackingRules = { ...defaultStackingRules, ...categories, ...some };
  const { considered, order: whole, isValid } = checkedOut(order, sent, { rules });
  const came = considered.map(({ redeemable: { name }, outcome }) => {
    if (outcome.status === 'APPLICABLE') return `${name}: ${outcome.order.total_applied_discount_amount ?? 0}`;
    return `${name}: ${outcome.status === 'SKIPPED' ? outcome.key : outcome.refusal.key}`;
  });
  return { came: `${came.join(', ')} = ${whole.total_amount}`, isValid };
}

/** Checks for each row that the stack comes to what the row says. */
export function hold(rows: readonly Row[]): void {
  test.each<Row>(rows)('%s', (_, sent, rules, came) => {
    expect(come(sent, rules)).toEqual({ came, isValid: true });
  });
}

export const byHierarchy = { redeemables_sorting_rule: 'CATEGORY_HIERARCHY' } as const;
