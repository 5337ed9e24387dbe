import { maxAmount, multiply } from '../../core/money.ts';
import type { Cart, CartLine } from './cart.ts';
import { sortFromCheapest, sortFromDearest } from './line-price.ts';
import type { DiscountScope, ScopeEntry } from './scope.ts';

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
      return sortFromCheapest(indices, lines).slice(0, 1);
    case 'APPLY_FROM_CHEAPEST':
      return sortFromCheapest(indices, lines);
    case 'APPLY_TO_MOST_EXPENSIVE':
      return sortFromDearest(indices, lines).slice(0, 1);
    case 'APPLY_FROM_MOST_EXPENSIVE':
      return sortFromDearest(indices, lines);
  }
}

interface Rhythm {
  readonly skip: number;
  readonly repeat: number;
}

function rhythmOf(entry: ScopeEntry | undefined): Rhythm {
  return { skip: entry?.skip_initially ?? 0, repeat: Math.max(1, entry?.repeat ?? 1) };
}

/** Counts the discounted ones among the first `count`. */
function takenOf(count: number, { skip, repeat }: Rhythm): number {
  return count <= skip ? 0 : Math.floor((count - skip - 1) / repeat) + 1;
}

/** Returns the first discounted position at or after `position`, counted from 0. */
function nextTaken(position: number, { skip, repeat }: Rhythm): number {
  return position <= skip ? skip : skip + Math.ceil((position - skip) / repeat) * repeat;
}

const isOneUnit = (entry: ScopeEntry | undefined) =>
  entry?.target === 'UNIT' && (entry.effect === 'APPLY_TO_CHEAPEST' || entry.effect === 'APPLY_TO_MOST_EXPENSIVE');

/** Selects units of an entry's lines. A line without units, whose amount was sent, is selected whole. */
function served({ entry, indices }: Match, lines: readonly CartLine[], bundles: number): Selected[] {
  const rhythm = rhythmOf(entry);
  const perLine = multiply(entry?.quantity_limit ?? maxAmount, bundles);
  let left = Math.min(
    multiply(entry?.aggregated_quantity_limit ?? maxAmount, bundles),
    isOneUnit(entry) ? 1 : maxAmount,
  );
  let position = 0;
  return inOrder(entry, indices, lines).flatMap((index) => {
    const quantity = lines[index]?.quantity ?? 0;
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
        ? { firstUnit: nextTaken(start, rhythm) - start + 1, step: rhythm.repeat }
        : { firstUnit: 1, step: 1 };
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

export interface SelectionOptions {
  /** True if lines that have a discount already are left out. */
  readonly isOnce: boolean;
  /** Multiplies limits of units. */
  readonly bundles: number;
}

/** Selects units of the lines with money in the scope, in the order in which they are discounted. */
export function selectLines({ lines }: Cart, scope: DiscountScope, { isOnce, bundles }: SelectionOptions): Selected[] {
  const passes = ({ amount, discount_amount = 0 }: CartLine) =>
    amount !== undefined && !(isOnce && discount_amount > 0);
  return matchesOf(lines, scope, passes).flatMap((match) => served(match, lines, bundles));
}
