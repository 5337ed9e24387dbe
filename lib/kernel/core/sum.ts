/** Limits a figure to the safe integers. */
export function clampToSafe(figure: number): number {
  return Math.max(Number.MIN_SAFE_INTEGER, Math.min(Number.MAX_SAFE_INTEGER, figure));
}

/** Adds a figure up, within the safe integers. A missing figure counts as 0. */
export function addUp<T>(all: Iterable<T>, figure: (one: T) => number | undefined): number {
  let sum = 0;
  for (const one of all) sum += figure(one) ?? 0;
  return clampToSafe(sum);
}
