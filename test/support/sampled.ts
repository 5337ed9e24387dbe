/** Set by CI, where all is done that a quick run does in part. */
export const isLong = Boolean(process.env.LONG_TESTS);

/** All in a long run; else so many, evenly from the whole list and the same at each run, that what each costs does not grow with the list. */
export function sampled<T>(all: readonly T[], most: number): readonly T[] {
  if (isLong || all.length <= most) return all;
  const placeOf = (index: number) => Math.floor((index * most) / all.length);
  return all.filter((_, index) => placeOf(index) !== placeOf(index - 1));
}
