import type { Reading } from '../../http/context.ts';
import { read } from '../../table/read.ts';
import { type Product, product, type Sku, sku } from './resource.ts';

interface FoundSku {
  readonly sku: Sku;
  readonly product: Product;
}

export interface FoundProducts {
  /** Maps the given names to products. It lacks unknown names. */
  readonly products: ReadonlyMap<string, Product>;
  readonly skus: ReadonlyMap<string, FoundSku>;
}

/** Finds products and SKUs by ids or source ids; the id wins. It takes two rounds of batches of 100 keys, whatever their number. */
export async function findProducts(
  { table, project }: Pick<Reading, 'table' | 'project'>,
  names: { products?: Iterable<string>; skus?: Iterable<string> },
): Promise<FoundProducts> {
  const [productNames, skuNames] = [[...new Set(names.products)], [...new Set(names.skus)]];
  const first = await read(table, {
    products: productNames.map((name) => product.many(project.id, name)),
    productSources: productNames.map((name) => product.claim(project.id, 'source_id', name)),
    skuIds: skuNames.map((name) => sku.claim(project.id, 'id', name)),
    skuSources: skuNames.map((name) => sku.claim(project.id, 'source_id', name)),
  });
  const productIds = productNames.map((_, index) =>
    first.products[index] ? undefined : first.productSources[index]?.id,
  );
  const claims = skuNames.map((_, index) => first.skuIds[index] ?? first.skuSources[index]);
  const owners = claims.map((claim) => claim?.parent);
  const second = await read(table, {
    products: productIds.map((id) => (id === undefined ? undefined : product.many(project.id, id))),
    skus: claims.map((claim) =>
      claim?.parent === undefined ? undefined : sku.few(project.id, claim.parent, claim.id),
    ),
    owners: owners.map((id) => (id === undefined ? undefined : product.many(project.id, id))),
  });
  return {
    products: new Map(
      productNames.flatMap((name, index) => {
        const found = first.products[index] ?? second.products[index];
        return found ? [[name, found] as const] : [];
      }),
    ),
    skus: new Map(
      skuNames.flatMap((name, index) => {
        const [found, owner] = [second.skus[index], second.owners[index]];
        return found && owner ? [[name, { sku: found, product: owner }] as const] : [];
      }),
    ),
  };
}
