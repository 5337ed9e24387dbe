import { copyMetadata, type FoundProducts } from '../../catalogue/products/resource.ts';
import type { CustomerFacts } from '../../customers/read-facts.ts';
import type { RedeemableFacts } from '../../rules/formulas/facts.ts';
import type { CartLine } from '../engine/cart.ts';
import type { OrderLine } from '../orders/line.ts';

/** Prepares the lines of an order for rules and discounts. */

type Metadata = NonNullable<RedeemableFacts['order_metadata']>;

/** Merges metadata. The sent metadata of a product or SKU wins over stored metadata, key by key. */
function withMetadata<P extends { metadata?: Metadata | undefined }>(
  sent: P | undefined,
  stored: { metadata?: unknown } | undefined,
): P | { metadata: Metadata } | undefined {
  const metadata = { ...copyMetadata(stored), ...sent?.metadata };
  return Object.keys(metadata).length === 0 ? sent : { ...sent, metadata };
}

/** Adds a line's collections, and all metadata of its product and SKU. Collections ignore what a browser sends. */
export function buildCartLine(
  line: OrderLine,
  { known, isFromBrowser }: { readonly known: FoundProducts; readonly isFromBrowser: boolean },
  { collectionsOf }: Pick<CustomerFacts, 'collectionsOf'>,
): CartLine {
  const bySku = known.skus.get(line.sku_id ?? '');
  const product = bySku?.product ?? known.products.get(line.product_id ?? '');
  const [ofProduct, ofSku] = [withMetadata(line.product, product), withMetadata(line.sku, bySku?.sku)];
  const { product: sentProduct, sku: sentSku } = line;
  const shown = { ...(sentProduct ? { product: sentProduct } : {}), ...(sentSku ? { sku: sentSku } : {}) };
  return {
    ...line,
    ...(ofProduct ? { product: ofProduct } : {}),
    ...(ofSku ? { sku: ofSku } : {}),
    shown,
    collections: collectionsOf(isFromBrowser ? {} : line, { product, sku: bySku?.sku }),
  };
}

/** Finds products and SKUs by id, whatever names the lines have. */
export function indexByIds({ products, skus }: FoundProducts): FoundProducts {
  const ofSkus = [...skus.values()].map(({ product }) => product);
  return {
    products: new Map([...products.values(), ...ofSkus].map((one) => [one.id, one])),
    skus: new Map([...skus.values()].map((one) => [one.sku.id, one])),
  };
}
