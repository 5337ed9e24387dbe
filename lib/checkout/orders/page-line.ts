import { type Catalogue, knownBy, type SentLine } from './line.ts';

/** Removes from a page's line its prices and names of a product or SKU that is stored with a price. */
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
