import type { InheritedTerms } from '../../campaigns/campaign-terms.ts';
import { findProducts } from '../../catalogue/products/resource.ts';
import type { Reading } from '../../http/context.ts';
import type { Discount } from '../../rules/discounts/discount.ts';
import type { Catalogue, KnownProduct } from '../orders/line.ts';
import { readCampaignId, type Target } from './targets.ts';

/** Reads products and SKUs that discounts add to an order without them. */

export function listDiscounts(
  targets: readonly Target[],
  { campaigns }: Pick<InheritedTerms, 'campaigns'>,
): Discount[] {
  return targets.flatMap((target) => {
    const { voucher, tier } = target;
    const campaign = campaigns.get(readCampaignId(target) ?? '');
    return voucher?.discount ?? tier?.action?.discount ?? (voucher && campaign?.voucher?.discount) ?? [];
  });
}

/** Returns the names by which discounts add products and SKUs. */
export function listUnitNames(discounts: readonly Discount[]): string[] {
  return discounts.flatMap((discount) => {
    if (discount.type !== 'UNIT') return [];
    return [discount, ...(discount.units ?? [])].flatMap(({ unit_type, product, sku }) =>
      [unit_type, product?.id, sku?.id].filter((name) => name !== undefined),
    );
  });
}

/** Defines shipping for every project as a product without a price: one unit is free shipping. A stored product with these names wins. */
const shipping = { id: 'prod_5h1pp1ng', source_id: '5h1pp1ng', name: 'Shipping' };

function predefined(name: string): KnownProduct | undefined {
  return name === shipping.id || name === shipping.source_id ? shipping : undefined;
}

/** Returns the order's catalogue with the added products. Most requests read nothing. */
export async function addUnitProducts(
  context: Reading,
  catalogue: Catalogue = { product: () => undefined, sku: () => undefined },
  discounts: readonly Discount[],
): Promise<Catalogue> {
  const names = listUnitNames(discounts);
  if (names.length === 0) return catalogue;
  const { products, skus } = await findProducts(context, { products: names, skus: names });
  const owners = new Map([...skus.values()].map(({ product }) => [product.id, product]));
  return {
    ...catalogue,
    product: (name) => catalogue.product(name) ?? products.get(name) ?? owners.get(name) ?? predefined(name),
    sku: (name) => catalogue.sku(name) ?? skus.get(name)?.sku,
  };
}
