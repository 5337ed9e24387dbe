import { allProducts } from '../collections/resource.ts';
import type { CartLine } from './cart.ts';
import type { Reference, Scope, ScopeEntry } from './scope.ts';

/** Which lines a scope is for, and which of its entries says how they are taken. */

/** An entry of a product has its SKUs' lines too; a line that no product is known for goes by its source id. */
export function isOf(line: CartLine, { object, id, source_id }: Reference): boolean {
  if (object === 'products_collection') return id === allProducts.id || (line.collections?.includes(id) ?? false);
  const isNamed = (name: string | undefined) => name !== undefined && (name === id || name === source_id);
  const isSku = line.sku_id !== undefined || line.related_object === 'sku';
  if (object === 'sku')
    return isNamed(line.sku_id) || isNamed(line.sku?.source_id) || (isSku && isNamed(line.source_id));
  return isNamed(line.product_id) || isNamed(line.product?.source_id) || (!isSku && isNamed(line.source_id));
}

/** Entries in the order in which they are looked at: those of products and SKUs come before collections. */
export function byPrecedence<R extends Reference>(entries: readonly R[]): R[] {
  const isCollection = ({ object }: Reference) => object === 'products_collection';
  return [...entries.filter((entry) => !isCollection(entry)), ...entries.filter(isCollection)];
}

/** A scope's entry with its lines, in the order of the request. */
export interface Match {
  /** Absent for the lines that no entry is about. */
  readonly entry: ScopeEntry | undefined;
  readonly indices: readonly number[];
}

/** Each line by the one entry that decides over it, in the order of the entries. Lines that don't pass are left out. */
export function matchesOf(
  lines: readonly CartLine[],
  { included, excluded, included_all }: Scope,
  passes: (line: CartLine) => boolean,
): Match[] {
  const precedence = byPrecedence(included);
  const isForAll = included_all === true || included.length === 0;
  const deciding = lines.map((line) => {
    if (!passes(line) || excluded.some((entry) => isOf(line, entry))) return undefined;
    return precedence.find((entry) => isOf(line, entry)) ?? (isForAll ? 'rest' : undefined);
  });
  const indicesOf = (entry: ScopeEntry | 'rest') =>
    lines.flatMap((_, index) => (deciding[index] === entry ? [index] : []));
  const all = [
    ...included.map((entry): Match => ({ entry, indices: indicesOf(entry) })),
    { entry: undefined, indices: indicesOf('rest') },
  ];
  return all.filter(({ indices }) => indices.length > 0);
}
