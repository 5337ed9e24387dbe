/** The next part of a formula, behind blanks: looks where `lastIndex` is. */
export const pieces =
  /\s*(?:(?<number>\d+(?:\.\d+)?|\.\d+)|"(?<text>[^"]*)"|(?<name>[A-Za-z_]\w*)|(?<sign>[-+*/%\u00d7\u00f7\u2212<>=();]))/y;

/**
 * Numbers, texts, names, signs and brackets of one that is created: it is worked out for each line of an order, by each redeemable. One
 * that is there already is worked out all the same.
 */
export const maxFormulaParts = 500;

/** Says why a formula is too costly to be created, if it is. A shorter text can't have so many parts. */
export function costFault(formula: string): string | undefined {
  if (formula.length <= maxFormulaParts) return undefined;
  let parts = 0;
  pieces.lastIndex = 0;
  while (parts <= maxFormulaParts && pieces.test(formula)) parts += 1;
  return parts > maxFormulaParts
    ? `must have at most ${maxFormulaParts} parts: numbers, texts, names, signs and brackets`
    : undefined;
}
