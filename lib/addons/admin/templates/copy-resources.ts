import { type Collection, collection } from '#engine/catalogue/collections/resource.ts';
import { location } from '#engine/catalogue/locations/location.ts';
import { findProducts } from '#engine/catalogue/products/resource.ts';
import { segment } from '#engine/customers/segments/segment.ts';
import type { Discount } from '#engine/rules/discounts/discount.ts';
import { segmentNames } from '#engine/rules/names.ts';
import { type References, renameInDiscount, renameInFilter, renameInRule } from '#engine/rules/rename-references.ts';
import type { RuleDocument } from '#engine/rules/shape.ts';
import { ServiceError } from '#kernel/core/errors.ts';
import type { Reading } from '#kernel/http/context.ts';
import { read } from '#kernel/table/read.ts';
import type { TemplateContent } from './content.ts';

type Copies = Pick<TemplateContent, 'products' | 'skus' | 'product_collections' | 'segments' | 'locations'>;

/** A rule can name thousands of products. A template can't copy so many, so they are not searched for. */
const maxNames = 1_000;

/** Collects names while documents are renamed to themselves. */
function noteNames() {
  const [items, segments, locations] = [new Set<string>(), new Set<string>(), new Set<string>()];
  const noteIn = (names: Set<string>) => (name: string) => {
    names.add(name);
    return name;
  };
  const byRule = new Map(segmentNames.map((name) => [name, noteIn(segments)]));
  const by: References = { item: noteIn(items), location: noteIn(locations), byRule };
  return { items, segments, locations, by };
}

/** Returns the ids of segments that the rules name. */
export function listSegmentIds(rules: readonly RuleDocument[]): string[] {
  const { segments, by } = noteNames();
  for (const rule of rules) renameInRule(rule, by);
  return [...segments];
}

/** Returns the collection with other names of its members. */
export function renameInCollection<C extends Pick<Collection, 'products' | 'filter'>>(one: C, by: References): C {
  const { products, filter } = one;
  const renamed = products?.map((member) => ({
    ...member,
    id: by.item(member.id),
    ...(member.product_id ? { product_id: by.item(member.product_id) } : {}),
  }));
  return {
    ...one,
    ...(renamed ? { products: renamed } : {}),
    ...(filter ? { filter: renameInFilter(filter, by) } : {}),
  };
}

function tooMany(): ServiceError {
  return new ServiceError('invalid_payload', {
    details: `the rules and the discount must name at most ${maxNames} products, SKUs and collections: name a collection instead`,
  });
}

async function findCollections({ table, project }: Reading, names: Iterable<string>): Promise<Collection[]> {
  const { found } = await read(table, { found: [...names].map((id) => collection.few(project.id, id)) });
  return found.filter((one) => one !== undefined);
}

/**
 * Copies the products, SKUs, collections and segments with a filter that the rules and the discount name, and their locations. Unknown
 * names are skipped.
 */
export async function copyResources(
  context: Reading,
  rules: readonly RuleDocument[],
  discount: Discount | undefined,
): Promise<Copies> {
  const { table, project } = context;
  const { items, segments, locations, by } = noteNames();
  for (const rule of rules) renameInRule(rule, by);
  if (discount) renameInDiscount(discount, by);
  if (items.size > maxNames) throw tooMany();
  const collections = await findCollections(context, items);
  for (const one of collections) renameInCollection(one, by);
  if (items.size > maxNames) throw tooMany();
  const [found, ofSegments] = await Promise.all([
    findProducts(context, { products: items, skus: items }),
    read(table, { found: [...segments].map((id) => segment.few(project.id, id)) }),
  ]);
  for (const one of ofSegments.found) if (one?.filter) renameInFilter(one.filter, by);
  const ofLocations = await read(table, { found: [...locations].map((id) => location.few(project.id, id)) });
  const skus = [...found.skus.values()];
  const products = [...found.products.values(), ...skus.map(({ product }) => product)];
  return {
    products: apart(products),
    skus: apart(skus.map(({ sku }) => sku)),
    product_collections: apart(collections),
    locations: ofLocations.found.filter((one) => one !== undefined),
    segments: ofSegments.found.flatMap((one) =>
      one && one.type !== 'static' ? [{ id: one.id, name: one.name, type: one.type, filter: one.filter }] : [],
    ),
  };
}

/** Returns each resource once. A rule may name it by its id and by its source id. */
function apart<T extends { readonly id: string }>(all: readonly T[]): T[] {
  return [...new Map(all.map((one) => [one.id, one])).values()];
}
