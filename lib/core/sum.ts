/** What is more, or less, than can be counted exactly counts as the most, or least, that can be. */
export function countable(figure: number): number {
  return Math.max(Number.MIN_SAFE_INTEGER, Math.min(Number.MAX_SAFE_INTEGER, figure));
}

/** What a figure comes to for all of them; one that has none counts as 0. */
export function sumOf<T>(all: Iterable<T>, figure: (one: T) => number | undefined): number {
  let sum = 0;
  for (const one of all) sum += figure(one) ?? 0;
  return countable(sum);
}
