import { allProducts } from '#engine/catalogue/collections/resource.ts';
import type { CartLine, CheckoutOrder } from '#engine/checkout/engine/cart.ts';
import { type CheckoutOptions, checkout } from '#engine/checkout/engine/checkout.ts';
import type { Redeemable } from '#engine/checkout/engine/redeemable.ts';
import { buildScope, type DiscountScope, type ScopeEntry } from '#engine/checkout/engine/selection.ts';
import { defaultStackingRules, type StackingRules } from '#engine/checkout/engine/stacking-rules.ts';
import { computeFigures, mergeLines, type SentFigures } from '#engine/checkout/orders/figures.ts';
import { type Catalogue, prepareLine, type SentLine } from '#engine/checkout/orders/line.ts';
import { compileBundles } from '#engine/rules/bundle.ts';
import type { Discount } from '#engine/rules/discounts/discount.ts';

/** Orders and redeemables as input of the checkout. */

const products = [
  { id: 'prod_tea', source_id: 'tea', name: 'Tea', price: 500 },
  { id: 'prod_mug', source_id: 'mug', name: 'Mug', price: 1200 },
  { id: 'prod_post', source_id: 'post', name: 'Shipping' },
];
const skus = [
  { id: 'sku_tin', source_id: 'tin', product_id: 'prod_tea', sku: 'Tin', price: 700 },
  { id: 'sku_bag', source_id: 'bag', product_id: 'prod_tea', sku: 'Bag' },
];

const named =
  <T extends { id: string; source_id: string }>(all: readonly T[]) =>
  (name: string) =>
    all.find(({ id, source_id }) => id === name || source_id === name);

export const catalogue: Catalogue = { product: named(products), sku: named(skus) };

export type TestLine = SentLine & { collections?: string[] };

/** The catalogue as lists of a project file. */
export const catalogueLists = { products, skus };

/** Prepares the lines as the checkout does for a request. */
export function orderOf(items: readonly TestLine[], sent: SentFigures = {}): CheckoutOrder {
  const prepared = mergeLines(items.map((line) => prepareLine(line, catalogue)));
  const lines = prepared.map(
    (line, index): CartLine => ({ ...line, collections: [allProducts.id, ...(items[index]?.collections ?? [])] }),
  );
  return { ...computeFigures(lines, sent), items: lines };
}

const now = new Date('2026-03-31T15:30:00Z');

/** Makes the scope of a rule from these entries. */
export function ruled(included: ScopeEntry[], excluded: ScopeEntry[] = [], included_all = false): DiscountScope {
  return buildScope({ applicable_to: { included, excluded, included_all } }, { now });
}

export const everything: DiscountScope = buildScope({}, { now });

/** Makes a bundle that needs this quantity of any of these entries for each part. */
export function bundleOf(limit: number, ...parts: { quantity: number; any_of: ScopeEntry[] }[]) {
  const rules = parts.map(({ quantity, any_of }, index) => ({
    [index]: {
      name: 'order.items.any',
      conditions: { $is: any_of },
      rules: { '1': { name: 'order.items.aggregated_quantity', conditions: { $is: [quantity] } } },
    },
  }));
  return compileBundles({ bundle_rules: Object.assign({ limit }, ...rules) });
}

/** Makes an entry from the id of a product, SKU or collection. */
export function entry(id: string, how: Partial<ScopeEntry> = {}): ScopeEntry {
  const object = id.startsWith('pc_') ? 'products_collection' : id.startsWith('sku_') ? 'sku' : 'product';
  return { object, id, ...how };
}

export function included(...entries: ScopeEntry[]): DiscountScope {
  return ruled(entries);
}

export function coupon(discount: Discount, scope = everything, how: Partial<Redeemable> = {}): Redeemable {
  return { benefit: { kind: 'discount', discount }, scope, ...how };
}

/** Stacking rules that let as many redeemables apply as possible. */
export const stacked: StackingRules = { ...defaultStackingRules, applicable_redeemables_limit: 30 };

/** Returns the result of the checkout. */
export function checkedOut<R extends Redeemable>(
  order: CheckoutOrder | undefined,
  redeemables: readonly R[],
  { rules = stacked, ...options }: Partial<CheckoutOptions> = {},
) {
  return checkout(order, redeemables, { rules, catalogue, ...options });
}
