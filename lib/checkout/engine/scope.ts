import { compileApplicability } from '../../rules/conditions.ts';
import type { RuleContext } from '../../rules/context.ts';
import type { RuleDocument } from '../../rules/shape.ts';
import { omitEmpty } from '../orders/line.ts';
import type { CartLine } from './cart.ts';

/** Describes the lines of a discount. */

/** The discount applies to every line, to the cheapest or most expensive one, or to all in the order of their prices. */
type EntryEffect =
  | 'APPLY_TO_EVERY'
  | 'APPLY_TO_CHEAPEST'
  | 'APPLY_FROM_CHEAPEST'
  | 'APPLY_TO_MOST_EXPENSIVE'
  | 'APPLY_FROM_MOST_EXPENSIVE';

/** The included and excluded lines, and how they are discounted. Amounts are minor currency units. */
export interface ScopeEntry {
  readonly object: 'product' | 'sku' | 'products_collection';
  readonly id?: string | undefined;
  readonly source_id?: string | undefined;
  readonly product_id?: string | undefined;
  readonly product_source_id?: string | undefined;
  readonly strict?: boolean | undefined;
  readonly effect?: EntryEffect | undefined;
  /** The price of a unit with a FIXED discount. */
  readonly price?: number | undefined;
  readonly price_formula?: string | undefined;
  /** Limits the discounted units of a line, and of all its lines. */
  readonly quantity_limit?: number | undefined;
  readonly aggregated_quantity_limit?: number | undefined;
  /** Limits the discount of a line, and of all its lines. */
  readonly amount_limit?: number | undefined;
  readonly aggregated_amount_limit?: number | undefined;
  /** Counts lines or units: skips the first `skip_initially`, takes the next, then every `repeat`-th. */
  readonly skip_initially?: number | undefined;
  readonly repeat?: number | undefined;
  readonly target?: 'ITEM' | 'UNIT' | undefined;
}

/** An entry as rules store it. */
type SentEntry = Pick<ScopeEntry, 'object'> & { readonly [N in keyof ScopeEntry]?: ScopeEntry[N] | null };

/**
 * Returns the entry that includes or excludes a line. The result has no entry if the default decides, and is `undefined` if the scope
 * leaves the line out.
 */
type Deciding = (line: CartLine) => { readonly entry?: ScopeEntry } | undefined;

export interface DiscountScope {
  readonly included: readonly ScopeEntry[];
  readonly excluded: readonly ScopeEntry[];
  readonly includes: Deciding;
  readonly excludes: Deciding;
}

function entriesOf(sent: readonly SentEntry[] | null | undefined): ScopeEntry[] {
  return (sent ?? []).map(({ object, ...how }) => ({ object, ...omitEmpty(how) }));
}

/** Returns a rule's scope. Without a rule or entries it has all lines. */
export function buildScope(
  document: RuleDocument<SentEntry>,
  around: Pick<RuleContext, 'now' | 'lineSchemas'>,
): DiscountScope {
  const { applicable_to } = document;
  const [included, excluded] = [entriesOf(applicable_to?.included), entriesOf(applicable_to?.excluded)];
  const includes = compileApplicability<ScopeEntry>({
    ...document,
    applicable_to: { ...applicable_to, included, excluded },
  });
  const excludes = compileApplicability<ScopeEntry>({ applicable_to: { included: excluded } });
  return {
    included,
    excluded,
    includes: (line) => includes(line, around),
    excludes: (line) => (excluded.length > 0 ? excludes(line, around) : undefined),
  };
}
