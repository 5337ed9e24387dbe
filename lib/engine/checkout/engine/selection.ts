import { compileApplicability } from '#engine/rules/conditions.ts';
import type { RuleContext } from '#engine/rules/context.ts';
import type { RuleDocument } from '#engine/rules/shape.ts';
import { maxAmount, multiply } from '#kernel/core/money.ts';
import { omitEmpty } from '../orders/line.ts';
import { type Cart, type CartLine, countFree, isSpent } from './cart.ts';
import { findCheapest, findDearest, sortFromCheapest, sortFromDearest } from './units.ts';

/** Describes the lines of a discount. */

/**
 * The discount applies to every line, to the cheapest or most expensive line, or to all in the order of their prices.
 */
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
  /** Counts lines or units: skips the first `skip_initially`, selects the next, then every `repeat`-th. */
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

/** Selects the discounted units of lines by the entries' effects, skip and repeat, and limits of units. */

/** A scope's entry with its lines, in the order of the request. */
interface Match {
  /** Absent for lines without an entry. */
  readonly entry: ScopeEntry | undefined;
  readonly indices: readonly number[];
}

/** Groups lines by their deciding entry, in the order of the entries. Excluded lines are left out. */
function matchesOf(
  lines: readonly CartLine[],
  { included, includes }: DiscountScope,
  passes: (line: CartLine) => boolean,
): Match[] {
  const indices = new Map<ScopeEntry | undefined, number[]>();
  for (const [index, line] of lines.entries()) {
    const found = passes(line) ? includes(line) : undefined;
    if (found) indices.set(found.entry, [...(indices.get(found.entry) ?? []), index]);
  }
  return [...included, undefined].flatMap((entry) => {
    const own = indices.get(entry);
    return own ? [{ entry, indices: own }] : [];
  });
}

export interface Selected {
  readonly index: number;
  /** The deciding entry, if any. */
  readonly entry: ScopeEntry | undefined;
  /** The discounted units. */
  readonly counted: number;
  /** The first discounted unit of the line, from 1 on, and the distance to the next. */
  readonly firstUnit: number;
  readonly step: number;
}

/** Returns the lines of an entry in the order in which they are discounted. */
function inOrder(
  entry: ScopeEntry | undefined,
  indices: readonly number[],
  lines: readonly CartLine[],
): readonly number[] {
  switch (entry?.effect ?? 'APPLY_TO_EVERY') {
    case 'APPLY_TO_EVERY':
      return indices;
    case 'APPLY_TO_CHEAPEST':
      return findCheapest(indices, lines);
    case 'APPLY_FROM_CHEAPEST':
      return sortFromCheapest(indices, lines);
    case 'APPLY_TO_MOST_EXPENSIVE':
      return findDearest(indices, lines);
    case 'APPLY_FROM_MOST_EXPENSIVE':
      return sortFromDearest(indices, lines);
  }
}

interface Rhythm {
  readonly skip: number;
  readonly repeat: number;
}

/** Counts the discounted units among the first `count`. */
function takenOf(count: number, { skip, repeat }: Rhythm): number {
  return count <= skip ? 0 : Math.floor((count - skip - 1) / repeat) + 1;
}

/** Returns the first discounted position at or after `position`, counted from 0. */
function nextTaken(position: number, { skip, repeat }: Rhythm): number {
  return position <= skip ? skip : skip + Math.ceil((position - skip) / repeat) * repeat;
}

const isOneUnit = (entry: ScopeEntry | undefined) =>
  entry?.target === 'UNIT' && (entry.effect === 'APPLY_TO_CHEAPEST' || entry.effect === 'APPLY_TO_MOST_EXPENSIVE');

export interface SelectionOptions {
  /** True if lines that have a discount already are left out. */
  readonly isOnce: boolean;
  /** Multiplies limits of units. */
  readonly bundles: number;
  /** True if free units and lines with nothing to pay are left out. */
  readonly isOpenOnly?: boolean;
}

/** Selects units of an entry's lines. A line without units, whose amount was sent, is selected whole. */
function served(
  { entry, indices }: Match,
  lines: readonly CartLine[],
  { bundles, isOpenOnly }: SelectionOptions,
): Selected[] {
  const rhythm = { skip: entry?.skip_initially ?? 0, repeat: Math.max(1, entry?.repeat ?? 1) };
  const perLine = multiply(entry?.quantity_limit ?? maxAmount, bundles);
  let left = Math.min(
    multiply(entry?.aggregated_quantity_limit ?? maxAmount, bundles),
    isOneUnit(entry) ? 1 : maxAmount,
  );
  let position = 0;
  return inOrder(entry, indices, lines).flatMap((index) => {
    const line = lines[index];
    const free = isOpenOnly && line ? countFree(line) : 0;
    const quantity = (line?.quantity ?? 0) - free;
    const start = position;
    position += entry?.target === 'UNIT' ? quantity : 1;
    const taken = Math.min(takenOf(position, rhythm) - takenOf(start, rhythm), Math.max(1, quantity));
    const units = entry?.target === 'UNIT' ? taken : taken * quantity;
    const counted = Math.min(units, perLine, left);
    left -= counted;
    const isWhole = quantity === 0 && entry?.target !== 'UNIT' && taken > 0;
    if (counted === 0 && !isWhole) return [];
    const unitwise =
      entry?.target === 'UNIT'
        ? { firstUnit: free + nextTaken(start, rhythm) - start + 1, step: rhythm.repeat }
        : { firstUnit: free + 1, step: 1 };
    return [{ index, entry, counted, ...unitwise }];
  });
}

/** Limits the units that replies list. */
export const maxShownUnits = 1_000;

/** Lists the discounted units, from 1 on. */
export function listUnits({ counted, firstUnit, step }: Selected): number[] {
  return Array.from({ length: counted }, (_, place) => firstUnit + place * step);
}

/** Sorts by the order's lines, because sharing breaks ties to the earlier line. */
export function sortByLines(selection: readonly Selected[]): Selected[] {
  return selection.toSorted((one, other) => one.index - other.index);
}

/** Selects units of the lines with money in the scope, in the order in which they are discounted. */
export function selectLines({ lines }: Cart, scope: DiscountScope, options: SelectionOptions): Selected[] {
  const { isOnce, isOpenOnly } = options;
  const passes = (line: CartLine) =>
    line.amount !== undefined && !(isOnce && line.discount_amount) && !(isOpenOnly && isSpent(line));
  return matchesOf(lines, scope, passes).flatMap((match) => served(match, lines, options));
}
