import { sumOf } from '../sum.ts';
import type { RuleLine } from './context.ts';

/** How rules name and measure the lines of an order. */

/** Whether a set has one of the names that lines can have. */
export type HasName = (name: string) => boolean;

function isIn(name: string | undefined, has: HasName): boolean {
  return name !== undefined && has(name);
}

/** Whether the line's product is in a set: a line that nothing knows has its source id. */
export function isProductIn({ product_id, source_id, product, sku_id }: RuleLine, has: HasName): boolean {
  return isIn(product_id, has) || isIn(product?.source_id, has) || (sku_id === undefined && isIn(source_id, has));
}

export function isSkuIn({ sku_id, source_id, sku }: RuleLine, has: HasName): boolean {
  return isIn(sku_id, has) || isIn(sku?.source_id, has) || (sku_id !== undefined && isIn(source_id, has));
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
