import { addUp } from '#kernel/core/sum.ts';
import type { RuleLine } from './context.ts';

/** Names and measures the lines of an order for rules. */

/** Returns whether a set has a name. */
export type HasName = (name: string) => boolean;

function isIn(name: string | undefined, has: HasName): boolean {
  return name !== undefined && has(name);
}

/**
 * Returns the caller's own id of the product. The line's id counts if nothing else names the product: a line with one product in
 * `product_id` and another in `source_id` belongs to the first.
 */
function productSource({ product_id, source_id, product, sku_id }: RuleLine): string | undefined {
  if (product) return product.source_id ?? (product_id === undefined && sku_id === undefined ? source_id : undefined);
  return sku_id === undefined ? source_id : undefined;
}

/** Returns whether the line's product is in a set. */
export function isProductIn(line: RuleLine, has: HasName): boolean {
  return isIn(line.product_id, has) || isIn(productSource(line), has);
}

export function isSkuIn({ sku_id, source_id, sku }: RuleLine, has: HasName): boolean {
  return isIn(sku_id, has) || isIn(sku ? sku.source_id : sku_id && source_id, has);
}

/** Returns whether the line is in a collection of the set. */
export function isCollected({ collections }: RuleLine, has: HasName): boolean {
  return collections?.some(has) ?? false;
}

/** Returns whether a set of products, SKUs and collections contains the line. */
export function isLineIn(line: RuleLine, has: HasName): boolean {
  return isProductIn(line, has) || isSkuIn(line, has) || isCollected(line, has);
}

export function isNamed(line: RuleLine, ids: ReadonlySet<string>): boolean {
  return isLineIn(line, (name) => ids.has(name));
}

/** Returns whether the line buys units. A line without units is not a purchase. */
export function isBought({ quantity }: Pick<RuleLine, 'quantity'>): boolean {
  return quantity > 0;
}

/** Returns the price of a unit for comparisons: its part of the amount, or the sent price without an amount. */
export function readUnitPrice({ price, amount, quantity }: RuleLine): number | undefined {
  return amount !== undefined && quantity > 0 ? amount / quantity : price;
}

function lineAmount(line: RuleLine): number | undefined {
  return line.amount ?? (line.price === undefined ? undefined : line.price * line.quantity);
}

export function sumUnits(lines: readonly RuleLine[]): number {
  return addUp(lines, ({ quantity }) => quantity);
}

export function sumAmounts(lines: readonly RuleLine[]): number {
  return addUp(lines, lineAmount);
}

/** Returns the line with the lowest or highest unit price. Ties go to the lowest subtotal, then to the first line. */
export function findExtreme(lines: readonly RuleLine[], which: 'cheapest' | 'dearest'): RuleLine | undefined {
  const sign = which === 'cheapest' ? 1 : -1;
  const subtotal = (line: RuleLine) => line.subtotal_amount ?? lineAmount(line) ?? 0;
  let best: { line: RuleLine; price: number } | undefined;
  for (const line of lines) {
    const price = readUnitPrice(line);
    if (price === undefined) continue;
    const isBetter =
      !best || sign * price < sign * best.price || (price === best.price && subtotal(line) < subtotal(best.line));
    if (isBetter) best = { line, price };
  }
  return best?.line;
}
