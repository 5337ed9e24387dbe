import { addUp } from '#kernel/core/sum.ts';
import { omitEmpty } from '../orders/line.ts';
import type { Cart, CartLine } from './cart.ts';
import { type DiscountScope, listUnits, maxShownUnits, type ScopeEntry, type Selected } from './selection.ts';

/** Lists the included and excluded products of a discount for replies. */

interface ItemUnits {
  readonly index: number;
  /** The quantities, from 1 on. They are left out if they are too many to list. */
  readonly units?: readonly number[];
  readonly units_limit_exceeded: boolean;
}

interface ShownEntry extends ScopeEntry {
  readonly order_item_indices?: readonly number[];
  readonly order_item_units?: readonly ItemUnits[];
}

export interface ShownEntries {
  readonly object: 'list';
  readonly data_ref: 'data';
  readonly data: readonly ShownEntry[];
  readonly total: number;
}

/** The defaults by which an entry selects its lines. */
const defaults = { effect: 'APPLY_TO_EVERY', skip_initially: 0, repeat: 1, target: 'ITEM' } as const;

/** Returns the product or SKU of a line as part of a collection, by the caller's own id if the product is unknown. */
function productOf({ source_id, related_object, product_id, sku_id, product, sku }: CartLine) {
  const isSku = sku_id !== undefined || related_object === 'sku';
  const id = sku_id ?? product_id ?? source_id ?? '';
  const own = isSku ? sku?.source_id : product?.source_id;
  return {
    object: isSku ? ('sku' as const) : ('product' as const),
    id,
    source_id: own ?? source_id,
    ...(isSku ? { product_id, product_source_id: product?.source_id } : {}),
    strict: true,
  };
}

/** Returns an entry's names by one of its lines. A rule keeps the id that was sent. */
function namesOf({ object }: ScopeEntry, { source_id, product_id, sku_id, product, sku }: CartLine) {
  if (object === 'products_collection') return {};
  if (object === 'product') {
    return omitEmpty({
      id: product_id,
      source_id: product?.source_id ?? (sku_id === undefined ? source_id : undefined),
    });
  }
  return omitEmpty({
    id: sku_id,
    source_id: sku?.source_id ?? source_id,
    product_id,
    product_source_id: product?.source_id,
  });
}

function placesOf(indices: readonly number[], selection: readonly Selected[], isListed: boolean): Partial<ShownEntry> {
  if (indices.length === 0) return {};
  const ofThese = selection.filter(({ index }) => indices.includes(index));
  const order_item_units = ofThese.map((one) => ({
    index: one.index,
    ...(isListed ? { units: listUnits(one) } : {}),
    units_limit_exceeded: !isListed,
  }));
  return { order_item_indices: indices, ...(ofThese.length > 0 ? { order_item_units } : {}) };
}

/** Groups lines by their entry. */
function linesBy(lines: readonly CartLine[], entryOf: DiscountScope['includes']): Map<ScopeEntry, number[]> {
  const found = new Map<ScopeEntry, number[]>();
  for (const [index, line] of lines.entries()) {
    const { entry } = entryOf(line) ?? {};
    if (entry) found.set(entry, [...(found.get(entry) ?? []), index]);
  }
  return found;
}

const nowhere: ReadonlyMap<ScopeEntry, readonly number[]> = new Map();

/** Returns the entries, then each line of a collection. */
function shown(
  lines: readonly CartLine[],
  places: ReadonlyMap<ScopeEntry, readonly number[]>,
  entries: readonly ScopeEntry[],
  selection: readonly Selected[],
): ShownEntries {
  const isListed = addUp(selection, ({ counted }) => counted) <= maxShownUnits;
  const show = (indices: readonly number[]) => placesOf(indices, selection, isListed);
  const defined = entries.map((entry) => {
    const indices = places.get(entry) ?? [];
    const line = lines[indices[0] ?? -1];
    return { strict: false, ...defaults, ...(line ? namesOf(entry, line) : {}), ...entry, ...show(indices) };
  });
  const concrete = entries
    .filter(({ object }) => object === 'products_collection')
    .flatMap((entry) =>
      (places.get(entry) ?? []).flatMap((index) => {
        const line = lines[index];
        return line ? [{ ...defaults, ...entry, ...productOf(line), ...show([index]) }] : [];
      }),
    );
  const data = [...defined, ...concrete];
  return { object: 'list', data_ref: 'data', data, total: data.length };
}

/** Lists the products. `cart` is the cart before the discount. */
export function showScope({ lines }: Cart, scope: DiscountScope, selection: readonly Selected[]) {
  const { included, excluded, includes, excludes } = scope;
  const placesBy = (entries: readonly ScopeEntry[], entryOf: DiscountScope['includes']) =>
    entries.length === 0 ? nowhere : linesBy(lines, entryOf);
  return {
    applicable_to: shown(lines, placesBy(included, includes), included, selection),
    inapplicable_to: shown(lines, placesBy(excluded, excludes), excluded, []),
  };
}
