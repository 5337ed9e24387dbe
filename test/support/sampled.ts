/** Set by CI, where all is done that a quick run does in part. */
export const isLong = Boolean(process.env.LONG_TESTS);

/** So many, evenly from the whole list and the same at each run. */
export function evenly<T>(all: readonly T[], most: number): readonly T[] {
  if (all.length <= most) return all;
  const placeOf = (index: number) => Math.floor((index * most) / all.length);
  return all.filter((_, index) => placeOf(index) !== placeOf(index - 1));
}

/** All in a long run; else so many, so that what each costs does not grow with the list. */
export function sampled<T>(all: readonly T[], most: number): readonly T[] {
  return isLong ? all : evenly(all, most);
}

/** Of one of `among`, where all together have so many, and each a few: a run takes as long however many there are. */
export function shareOf(total: { quick: number; long: number }, among: readonly unknown[], least: number): number {
  return Math.max(least, Math.floor((isLong ? total.long : total.quick) / among.length));
}

const shares = 4;

/** Returns all in a long run; else every fourth, and other turns get the others. */
export function sharedOut<T>(all: readonly T[], turn: number): readonly T[] {
  return isLong ? all : all.filter((_, index) => index % shares === turn % shares);
}
