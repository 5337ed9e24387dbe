/** Matches the next part of a formula after blanks, at `lastIndex`. */
export const pieces =
  /\s*(?:(?<number>\d+(?:\.\d+)?|\.\d+)|"(?<text>[^"]*)"|(?<name>[A-Za-z_]\w*)|(?<sign>[-+*/%\u00d7\u00f7\u2212<>=();]))/y;

/**
 * Limits the parts of a new formula, because it is evaluated for each line of an order and each redeemable. Stored formulas with more parts
 * are still evaluated.
 */
export const maxFormulaParts = 500;

/** Returns why a formula is too costly, if it is. A shorter text cannot have too many parts. */
export function findCostFault(formula: string): string | undefined {
  if (formula.length <= maxFormulaParts) return undefined;
  let parts = 0;
  pieces.lastIndex = 0;
  while (parts <= maxFormulaParts && pieces.test(formula)) parts += 1;
  return parts > maxFormulaParts
    ? `must have at most ${maxFormulaParts} parts: numbers, texts, names, signs and brackets`
    : undefined;
}
