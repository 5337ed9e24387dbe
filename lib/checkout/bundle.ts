import type { CartLine } from './cart.ts';
import { isOf } from './matching.ts';
import { sumOf, times } from './money.ts';
import type { Reference } from './scope.ts';

/** Products that must be in the cart together: how often they are. */

export interface BundleRules {
  /** Bundles that count, at most. */
  readonly limit: number;
  /** A bundle has so many units of each, of any of its products, SKUs and collections. */
  readonly components: readonly { readonly any_of: readonly Reference[]; readonly quantity: number }[];
}

interface Part {
  readonly id: string;
  readonly object: Reference['object'];
  readonly item_quantity: number;
}

/** By the names of replies. */
export interface Bundles {
  /** Complete bundles in the cart. */
  readonly quantity: number;
  readonly limit: number;
  readonly identified: readonly (Part & { readonly item_index: number })[];
  readonly missing: readonly Part[];
}

/** Units of lines, by component and line. */
type Assignment = Map<number, number>[];

/** Assigns units of lines to the components of one or more bundles. A unit that fits several goes where it is needed most. */
class Assigning {
  readonly units: Assignment;
  private readonly fitting: readonly (readonly number[])[];
  private readonly free: number[];

  constructor(lines: readonly CartLine[], components: BundleRules['components']) {
    this.free = lines.map(({ quantity }) => quantity);
    this.units = components.map(() => new Map());
    this.fitting = components.map(({ any_of }) =>
      lines.flatMap((line, index) => (any_of.some((reference) => isOf(line, reference)) ? [index] : [])),
    );
  }

  /** Gives a component up to so many units; how many it got. */
  give(component: number, wanted: number): number {
    let left = wanted;
    for (let got = -1; left > 0 && got !== 0; left -= got) got = this.find(component, left, new Set());
    return wanted - left;
  }

  /** Takes units that are free, or that another component can do without, having found others. Each is asked once. */
  private find(component: number, wanted: number, asked: Set<number>): number {
    asked.add(component);
    let left = wanted;
    for (const index of this.fitting[component] ?? []) {
      left -= this.take(component, index, Math.min(left, this.free[index] ?? 0));
      for (const [other, units] of this.units.entries()) {
        const there = units.get(index) ?? 0;
        if (left === 0 || there === 0 || asked.has(other)) continue;
        const moved = this.find(other, Math.min(left, there), asked);
        this.take(other, index, -moved);
        left -= this.take(component, index, moved);
      }
    }
    return wanted - left;
  }

  private take(component: number, index: number, count: number): number {
    const units = this.units[component];
    units?.set(index, (units.get(index) ?? 0) + count);
    this.free[index] = (this.free[index] ?? 0) - count;
    return count;
  }
}

interface Found {
  readonly units: Assignment;
  readonly short: readonly number[];
}

/** So many bundles, as far as they are there. */
function assigned(lines: readonly CartLine[], { components }: BundleRules, bundles: number): Found {
  const assigning = new Assigning(lines, components);
  const short = components.map(({ quantity }, component) => {
    const needed = times(quantity, bundles);
    return needed - assigning.give(component, needed);
  });
  return { units: assigning.units, short };
}

/** The most bundles that are complete, by halving. */
function completeIn(lines: readonly CartLine[], rules: BundleRules): number {
  let [complete, incomplete] = [0, rules.limit + 1];
  while (incomplete - complete > 1) {
    const middle = Math.floor((complete + incomplete) / 2);
    const isThere = sumOf(assigned(lines, rules, middle).short, (units) => units) === 0;
    if (isThere) complete = middle;
    else incomplete = middle;
  }
  return complete;
}

/** The complete bundles with their units; of an incomplete one those that are there, and those that are missing. */
export function bundlesIn(lines: readonly CartLine[], rules: BundleRules): Bundles {
  const quantity = completeIn(lines, rules);
  const { units, short } = assigned(lines, rules, Math.max(1, quantity));
  const parts = rules.components.flatMap(({ any_of: [reference] }, component) => {
    if (!reference) return [];
    const { id, object } = reference;
    const lines = [...(units[component] ?? [])].filter(([, count]) => count > 0);
    const identified = lines.map(([item_index, item_quantity]) => ({ id, object, item_index, item_quantity }));
    return [{ identified, missing: { id, object, item_quantity: short[component] ?? 0 } }];
  });
  return {
    quantity,
    limit: rules.limit,
    identified: parts.flatMap(({ identified }) => identified),
    missing: parts.flatMap(({ missing }) => (missing.item_quantity > 0 ? [missing] : [])),
  };
}
