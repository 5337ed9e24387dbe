import type { CartLine } from './cart.ts';
import type { Scope, ScopeEntry } from './scope.ts';

/** A scope's entry with its lines, in the order of the request. */
export interface Match {
  /** Absent for the lines that no entry is about. */
  readonly entry: ScopeEntry | undefined;
  readonly indices: readonly number[];
}

/** Each line by the one entry that decides over it, in the order of the entries. Lines that don't pass are left out. */
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
