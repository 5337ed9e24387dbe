import { sumOf } from '../core/sum.ts';
import type { RuleLine } from './context.ts';

/** How rules name and measure the lines of an order. */

/** Whether a set has one of the names that lines can have. */
export type HasName = (name: string) => boolean;

function isIn(name: string | undefined, has: HasName): boolean {
  return name !== undefined && has(name);
}

/**
 * The product's own id of the caller. The line's counts for it where nothing else says it: a line that names one product by
 * `product_id` and another by `source_id` is of the first alone.
 */
function productSource({ product_id, source_id, product, sku_id }: RuleLine): string | undefined {
  if (product) return product.source_id ?? (product_id === undefined && sku_id === undefined ? source_id : undefined);
  return sku_id === undefined ? source_id : undefined;
}

/** Whether the line's product is in a set. */
export function isProductIn(line: RuleLine, has: HasName): boolean {
  return isIn(line.product_id, has) || isIn(productSource(line), has);
}

export function isSkuIn({ sku_id, source_id, sku }: RuleLine, has: HasName): boolean {
  return isIn(sku_id, has) || isIn(sku ? sku.source_id : sku_id && source_id, has);
}

/** Whether the line is of a collection in the set. */
export function isCollected({ collections }: RuleLine, has: HasName): boolean {
  return collections?.some(has) ?? false;
}

/** Whether a set of products, SKUs and collections has the line. */
export function isLineIn(line: RuleLine, has: HasName): boolean {
  return isProductIn(line, has) || isSkuIn(line, has) || isCollected(line, has);
}

export function isNamed(line: RuleLine, ids: ReadonlySet<string>): boolean {
  return isLineIn(line, (name) => ids.has(name));
}

/** Whether units of the line are bought: one without any is no purchase of its product. */
export function isBought({ quantity }: Pick<RuleLine, 'quantity'>): boolean {
  return quantity > 0;
}

/** Returns the price of a unit, by which lines are compared: its part of the amount, and the sent price only without one. */
export function unitPrice({ price, amount, quantity }: RuleLine): number | undefined {
  return amount !== undefined && quantity > 0 ? amount / quantity : price;
}

export function lineAmount(line: RuleLine): number | undefined {
  return line.amount ?? (line.price === undefined ? undefined : line.price * line.quantity);
}

export function units(lines: readonly RuleLine[]): number {
  return sumOf(lines, ({ quantity }) => quantity);
}

export function amounts(lines: readonly RuleLine[]): number {
  return sumOf(lines, lineAmount);
}

/** The line with the lowest or highest unit price; of several that with the lowest subtotal, then the first. */
export function extreme(lines: readonly RuleLine[], which: 'cheapest' | 'dearest'): RuleLine | undefined {
  const sign = which === 'cheapest' ? 1 : -1;
  const subtotal = (line: RuleLine) => line.subtotal_amount ?? lineAmount(line) ?? 0;
  let best: { line: RuleLine; price: number } | undefined;
  for (const line of lines) {
    const price = unitPrice(line);
    if (price === undefined) continue;
    const isBetter =
      !best || sign * price < sign * best.price || (price === best.price && subtotal(line) < subtotal(best.line));
    if (isBetter) best = { line, price };
  }
  return best?.line;
}
