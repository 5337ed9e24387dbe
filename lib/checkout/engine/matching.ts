import type { CartLine } from './cart.ts';
import type { Scope, ScopeEntry } from './scope.ts';

/** A scope's entry with its lines, in the order of the request. */
export interface Match {
  /** Absent for lines without an entry. */
  readonly entry: ScopeEntry | undefined;
  readonly indices: readonly number[];
}

/** Groups lines by their deciding entry, in the order of the entries. Excluded lines are left out. */
export function matchesOf(
  lines: readonly CartLine[],
  { included, includes }: Scope,
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
