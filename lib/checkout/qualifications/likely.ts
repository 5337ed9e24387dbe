import type { Compared } from './necessary.ts';
import { mayQualify, type Prepared } from './prepared.ts';
import type { Plan } from './scenario.ts';

/**
 * Finds by the names of a cart's lines those that it may qualify for, so that what is for other products costs nothing: a request takes
 * hardly longer with ten thousand promotion tiers than with a thousand.
 */
export interface OpenIndex {
  /** All, newest first. */
  readonly open: readonly Prepared[];
  /** Of those that a cart has to have something for: the places in `open`, by each name that suffices. */
  readonly byName: ReadonlyMap<string, readonly number[]>;
  /** Places of the others. */
  readonly others: readonly number[];
  /** Ids of collections that rules name. */
  readonly collections: ReadonlySet<string>;
}

/** One set of names of which the cart needs one; the smallest, where it needs one of several sets. */
function namesNeeded({ necessary }: Prepared): ReadonlySet<string> | undefined {
  const sets = necessary.flatMap(({ products, bundled }) => [...products, ...bundled]);
  return sets.reduce<ReadonlySet<string> | undefined>(
    (least, one) => (least === undefined || one.size < least.size ? one : least),
    undefined,
  );
}

export function openIndex(open: readonly Prepared[], collections: ReadonlySet<string>): OpenIndex {
  const byName = new Map<string, number[]>();
  const others: number[] = [];
  for (const [place, one] of open.entries()) {
    const names = namesNeeded(one);
    if (names === undefined) others.push(place);
    for (const name of names ?? []) {
      const places = byName.get(name);
      if (places) places.push(place);
      else byName.set(name, [place]);
    }
  }
  return { open, byName, others, collections };
}

/** Those of everybody that may qualify by what is known, newest first. */
export function likely(index: OpenIndex, plan: Plan, compared: Compared, now: Date): Prepared[] {
  const { open, byName, others, collections } = index;
  // Lenient plans show what the cart has nothing for, too.
  if (plan.isLenient) return stillLikely(open, plan, compared, now);
  const places = new Set(others);
  for (const names of [compared.names, compared.collections ?? collections]) {
    for (const name of names) for (const place of byName.get(name) ?? []) places.add(place);
  }
  const sorted = Uint32Array.from(places).sort();
  const found = Array.from(sorted, (place) => open[place]).filter((one) => one !== undefined);
  return stillLikely(found, plan, compared, now);
}

/** Those of them that still may, where more is known. */
export function stillLikely(some: readonly Prepared[], plan: Plan, compared: Compared, now: Date): Prepared[] {
  const time = now.toISOString();
  return some.filter((one) => mayQualify(one, plan, compared, time));
}
