/** Finds the known name that a caller probably meant. */

/** Counts the letters to change, add, leave out or swap with their neighbour to get from one word to the other. */
function distance(from: string, to: string): number {
  let before: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let row = 1; row <= from.length; row++) {
    const next = [row];
    for (let column = 1; column <= to.length; column++) {
      const isSame = from[row - 1] === to[column - 1];
      const isSwap = row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      next[column] = Math.min(
        (last[column] ?? 0) + 1,
        (next[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (isSame ? 0 : 1),
        ...(isSwap ? [(before[column - 2] ?? 0) + 1] : []),
      );
    }
    before = last;
    last = next;
  }
  return last[to.length] ?? 0;
}

/** No field has a longer name. Callers can send names of any length, and comparisons cost time. */
const maxCompared = 60;

function nearest(
  name: string,
  known: Iterable<string>,
  most: (lettersOfShorter: number) => number,
): string | undefined {
  if (name.length > maxCompared) return undefined;
  const [best] = [...known]
    .map((other) => ({ other, away: distance(name, other) }))
    .filter(({ other, away }) => away <= most(Math.min(name.length, other.length)))
    .sort((a, b) => a.away - b.away);
  return best?.other;
}

/**
 * Returns the known name that differs in at most a quarter of its letters, but always accepts a single different
 * letter.
 */
export function findClosest(name: string, known: Iterable<string>): string | undefined {
  return nearest(name, known, (letters) => Math.max(1, Math.floor(letters / 4)));
}

/** Returns the letters that may differ. Two letters turn a word of three or four into any other, so only one of them is a slip. */
function slips(letters: number): number {
  if (letters < 3) return 0;
  return letters < 5 ? 1 : 2;
}

/** Returns the known name that is within two letters of the name. */
export function findWithinTwoLetters(name: string, known: Iterable<string>): string | undefined {
  return nearest(name, known, slips);
}
