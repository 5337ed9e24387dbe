import { type Catalogue, knownBy, type SentLine } from './line.ts';

/** Removes a page's prices and names from a line of a stored product or SKU with a price. */
export function withStoredPrices(line: SentLine, catalogue: Catalogue): SentLine {
  const { sku, product } = knownBy(line, catalogue);
  const price = sku?.price ?? product?.price ?? undefined;
  if (price === undefined) return line;
  const { price: _, amount: __, product: sentProduct, sku: sentSku, ...own } = line;
  return {
    ...own,
    ...(sentProduct ? { product: { ...sentProduct, name: undefined, price: undefined } } : {}),
    ...(sentSku ? { sku: { ...sentSku, sku: undefined, price: undefined } } : {}),
  };
}
