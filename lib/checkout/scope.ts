/** For which lines of an order something is. */

/** To every line, to the one with the lowest or highest unit price, or to all in the order of their prices. */
type EntryEffect =
  | 'APPLY_TO_EVERY'
  | 'APPLY_TO_CHEAPEST'
  | 'APPLY_FROM_CHEAPEST'
  | 'APPLY_TO_MOST_EXPENSIVE'
  | 'APPLY_FROM_MOST_EXPENSIVE';

/** A product with its SKUs, a SKU or a collection, by its id; products and SKUs also by the caller's own. */
export interface Reference {
  readonly object: 'product' | 'sku' | 'products_collection';
  readonly id: string;
  readonly source_id?: string | undefined;
}

/** Lines that a discount is for, or is not for, and how they are taken. Amounts are minor currency units. */
export interface ScopeEntry extends Reference {
  readonly product_id?: string | undefined;
  readonly product_source_id?: string | undefined;
  readonly strict?: boolean | undefined;
  readonly effect?: EntryEffect | undefined;
  /** What a unit costs by a FIXED discount. */
  readonly price?: number | undefined;
  readonly price_formula?: string | undefined;
  /** Units of a line, and of all its lines, that are discounted. */
  readonly quantity_limit?: number | undefined;
  readonly aggregated_quantity_limit?: number | undefined;
  /** What is taken off a line, and off all its lines, at most. */
  readonly amount_limit?: number | undefined;
  readonly aggregated_amount_limit?: number | undefined;
  /** Counting lines, or units: leaves out the first so many, takes the next, then every so many-th. */
  readonly skip_initially?: number | undefined;
  readonly repeat?: number | undefined;
  readonly target?: 'ITEM' | 'UNIT' | undefined;
}

/** For which lines a discount is; without any entry, for all that have money. What is excluded is so though it is included. */
export interface Scope {
  readonly included: readonly ScopeEntry[];
  readonly excluded: readonly ScopeEntry[];
  /** All lines but the excluded ones; entries still say how theirs are taken. */
  readonly included_all?: boolean | undefined;
}
