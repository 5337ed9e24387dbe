import type { RuleLine } from './context.ts';

/** How rules name and measure the lines of an order. */

/** A product, SKU or collection by its id; products and SKUs also by the caller's own. */
export interface LineReference {
  readonly id: string;
}

function given(...names: readonly (string | undefined)[]): string[] {
  return names.filter((name) => name !== undefined);
}

/** By what the line's product is known: a line that nothing knows has its source id. */
export function productNames({ product_id, source_id, product, sku_id }: RuleLine): string[] {
  return given(product_id, product?.source_id, sku_id === undefined ? source_id : undefined);
}

export function skuNames({ sku_id, source_id, sku }: RuleLine): string[] {
  return given(sku_id, sku?.source_id, sku_id === undefined ? undefined : source_id);
}

/** All by which a set of products, SKUs and collections can name the line. */
export function namesOfLine(line: RuleLine): string[] {
  return [...productNames(line), ...skuNames(line), ...(line.collections ?? [])];
}

export function isNamed(line: RuleLine, ids: ReadonlySet<string>): boolean {
  const { product_id, sku_id, source_id, product, sku, collections } = line;
  for (const name of [product_id, sku_id, source_id, product?.source_id, sku?.source_id])
    if (name !== undefined && ids.has(name)) return true;
  return collections?.some((id) => ids.has(id)) ?? false;
}

/** Of one unit; without a price it follows from the amount. */
export function unitPrice({ price, amount, quantity }: RuleLine): number | undefined {
  return price ?? (amount !== undefined && quantity > 0 ? amount / quantity : undefined);
}

export function lineAmount(line: RuleLine): number | undefined {
  return line.amount ?? (line.price === undefined ? undefined : line.price * line.quantity);
}

function sumOf(lines: readonly RuleLine[], measure: (line: RuleLine) => number | undefined): number {
  let sum = 0;
  for (const line of lines) sum += measure(line) ?? 0;
  return sum;
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
