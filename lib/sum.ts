/** What a figure comes to for all of them; one that has none counts as 0. */
export function sumOf<T>(all: Iterable<T>, figure: (one: T) => number | undefined): number {
  let sum = 0;
  for (const one of all) sum += figure(one) ?? 0;
  return sum;
}
