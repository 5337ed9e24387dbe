import { applicability } from '../../rules/applicability.ts';
import type { RuleDocument } from '../../rules/shape.ts';
import { given } from '../orders/line.ts';
import type { CartLine } from './cart.ts';

/** For which lines of an order a discount is. */

/** To every line, to the one with the lowest or highest unit price, or to all in the order of their prices. */
type EntryEffect =
  | 'APPLY_TO_EVERY'
  | 'APPLY_TO_CHEAPEST'
  | 'APPLY_FROM_CHEAPEST'
  | 'APPLY_TO_MOST_EXPENSIVE'
  | 'APPLY_FROM_MOST_EXPENSIVE';

/** Lines that a discount is for, or is not for, and how they are taken. Amounts are minor currency units. */
export interface ScopeEntry {
  readonly object: 'product' | 'sku' | 'products_collection';
  readonly id?: string | undefined;
  readonly source_id?: string | undefined;
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

/** An entry as rules keep it. */
type SentEntry = Pick<ScopeEntry, 'object'> & { readonly [N in keyof ScopeEntry]?: ScopeEntry[N] | null };

/** By which entry a discount is, or is not, for a line; without an entry, by what no entry says. */
type Deciding = (line: CartLine) => { readonly entry?: ScopeEntry } | undefined;

export interface Scope {
  readonly included: readonly ScopeEntry[];
  readonly excluded: readonly ScopeEntry[];
  readonly includes: Deciding;
  readonly excludes: Deciding;
}

function entriesOf(sent: readonly SentEntry[] | null | undefined): ScopeEntry[] {
  return (sent ?? []).map(({ object, ...how }) => ({ object, ...given(how) }));
}

/** What a rule says; without one, or without any entry, all lines. */
export function scopeOf(document: RuleDocument<SentEntry>, now: Date): Scope {
  const { applicable_to } = document;
  const [included, excluded] = [entriesOf(applicable_to?.included), entriesOf(applicable_to?.excluded)];
  const includes = applicability<ScopeEntry>({ ...document, applicable_to: { ...applicable_to, included, excluded } });
  const excludes = applicability<ScopeEntry>({ applicable_to: { included: excluded } });
  return {
    included,
    excluded,
    includes: (line) => includes(line, { now }),
    excludes: (line) => (excluded.length > 0 ? excludes(line, { now }) : undefined),
  };
}
