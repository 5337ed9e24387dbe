import { canQualify, type PreparedCandidate } from './prepared-candidate.ts';
import type { Compared } from './rule-requirements.ts';
import type { ScenarioPlan } from './scenario.ts';

/**
 * Finds candidates by the names of a cart's lines, so that candidates for other products cost nothing. A request is
 * hardly slower with ten thousand promotion tiers than with a thousand.
 */
export interface CandidateIndex {
  /** All candidates, newest first. */
  readonly open: readonly PreparedCandidate[];
  /** The places in `open` of candidates that need a product of the cart, by each name that suffices. */
  readonly byName: ReadonlyMap<string, readonly number[]>;
  /** The places of the other candidates. */
  readonly others: readonly number[];
  /** The ids of collections that rules name. */
  readonly collections: ReadonlySet<string>;
}

/** Returns a set of names, at least one name of which the cart needs. Of several such sets, returns the smallest. */
function namesNeeded({ necessary }: PreparedCandidate): ReadonlySet<string> | undefined {
  const sets = necessary.flatMap(({ products, bundled }) => [...products, ...bundled]);
  return sets.reduce<ReadonlySet<string> | undefined>(
    (least, one) => (least === undefined || one.size < least.size ? one : least),
    undefined,
  );
}

export function indexCandidates(open: readonly PreparedCandidate[], collections: ReadonlySet<string>): CandidateIndex {
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

/** Returns the public candidates that may qualify by the known facts, newest first. */
export function findLikely(
  index: CandidateIndex,
  plan: ScenarioPlan,
  compared: Compared,
  now: Date,
): PreparedCandidate[] {
  const { open, byName, others, collections } = index;
  // Lenient plans also show candidates that the cart lacks products for.
  if (plan.isLenient) return filterLikely(open, plan, compared, now);
  const places = new Set(others);
  for (const names of [compared.names, compared.collections ?? collections]) {
    for (const name of names) for (const place of byName.get(name) ?? []) places.add(place);
  }
  const sorted = Uint32Array.from(places).sort();
  const found = Array.from(sorted, (place) => open[place]).filter((one) => one !== undefined);
  return filterLikely(found, plan, compared, now);
}

/** Returns the candidates that may still qualify by further facts. */
export function filterLikely(
  some: readonly PreparedCandidate[],
  plan: ScenarioPlan,
  compared: Compared,
  now: Date,
): PreparedCandidate[] {
  const time = now.toISOString();
  return some.filter((one) => canQualify(one, plan, compared, time));
}
