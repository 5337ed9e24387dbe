import { sumOf } from '../../core/sum.ts';
import { given } from '../orders/line.ts';
import type { Cart, CartLine } from './cart.ts';
import type { Scope, ScopeEntry } from './scope.ts';
import { maxShownUnits, type Selected, unitsOf } from './selection.ts';

/** What a discount is for and what it is not for, as replies list it. */

interface ItemUnits {
  readonly index: number;
  /** From 1 on; left out where the discount is for too many to be listed. */
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

/** How an entry takes its lines where it does not say. */
const defaults = { effect: 'APPLY_TO_EVERY', skip_initially: 0, repeat: 1, target: 'ITEM' } as const;

/** The product or SKU of a line, by which a collection has it; by the caller's own id where no product is known. */
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

/** What an entry names, by a line that it is about: a rule has the one id or the other, as it was sent. */
function namesOf({ object }: ScopeEntry, { source_id, product_id, sku_id, product, sku }: CartLine) {
  if (object === 'products_collection') return {};
  if (object === 'product') {
    return given({ id: product_id, source_id: product?.source_id ?? (sku_id === undefined ? source_id : undefined) });
  }
  return given({
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
    ...(isListed ? { units: unitsOf(one) } : {}),
    units_limit_exceeded: !isListed,
  }));
  return { order_item_indices: indices, ...(ofThese.length > 0 ? { order_item_units } : {}) };
}

/** Lines by the entry that is about them. */
function linesBy(lines: readonly CartLine[], entryOf: Scope['includes']): Map<ScopeEntry, number[]> {
  const found = new Map<ScopeEntry, number[]>();
  for (const [index, line] of lines.entries()) {
    const { entry } = entryOf(line) ?? {};
    if (entry) found.set(entry, [...(found.get(entry) ?? []), index]);
  }
  return found;
}

const nowhere: ReadonlyMap<ScopeEntry, readonly number[]> = new Map();

/** The entries, then each line that a collection has. */
function shown(
  lines: readonly CartLine[],
  places: ReadonlyMap<ScopeEntry, readonly number[]>,
  entries: readonly ScopeEntry[],
  selection: readonly Selected[],
): ShownEntries {
  const isListed = sumOf(selection, ({ counted }) => counted) <= maxShownUnits;
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

/** `cart` as it was when the discount was applied. */
export function showScope({ lines }: Cart, scope: Scope, selection: readonly Selected[]) {
  const { included, excluded, includes, excludes } = scope;
  const placesBy = (entries: readonly ScopeEntry[], entryOf: Scope['includes']) =>
    entries.length === 0 ? nowhere : linesBy(lines, entryOf);
  return {
    applicable_to: shown(lines, placesBy(included, includes), included, selection),
    inapplicable_to: shown(lines, placesBy(excluded, excludes), excluded, []),
  };
}
