/** CI sets it and runs everything. A quick run uses a sample. */
export const isLong = Boolean(process.env.LONG_TESTS);

/** Returns that many elements, evenly spread over the list. Each run returns the same elements. */
export function evenly<T>(all: readonly T[], most: number): readonly T[] {
  if (all.length <= most) return all;
  const placeOf = (index: number) => Math.floor((index * most) / all.length);
  return all.filter((_, index) => placeOf(index) !== placeOf(index - 1));
}

/** Returns all elements in a long run, else that many, so that a quick run's time does not grow with the list. */
export function sampled<T>(all: readonly T[], most: number): readonly T[] {
  return isLong ? all : evenly(all, most);
}

/**
 * Returns how many cases each element of `among` gets from a total. Each gets at least `least`, so a run's time hardly grows with their
 * number.
 */
export function shareOf(total: { quick: number; long: number }, among: readonly unknown[], least: number): number {
  return Math.max(least, Math.floor((isLong ? total.long : total.quick) / among.length));
}

const shares = 4;

/** Returns all elements in a long run. Otherwise it returns every fourth, and other turns return the rest. */
export function sharedOut<T>(all: readonly T[], turn: number): readonly T[] {
  return isLong ? all : all.filter((_, index) => index % shares === turn % shares);
}
