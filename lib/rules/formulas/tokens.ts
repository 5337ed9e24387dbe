import { pieces } from './formula-parts.ts';

/** Splits formulas into tokens. */

export type FormulaToken =
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'text'; readonly value: string }
  /** In capitals, because case has no meaning. */
  | { readonly kind: 'name'; readonly value: string }
  | { readonly kind: 'sign'; readonly value: string };

/** The reason why a formula cannot be parsed. */
export class FormulaFault extends Error {}

export const maxFormulaLength = 5_000;

/** Typographic signs from texts, with their meaning. */
const sameSign: Readonly<Record<string, string>> = { '\u00d7': '*', '\u00f7': '/', '\u2212': '-' };

function tokenOf({ number, text, name, sign = '' }: Readonly<Record<string, string | undefined>>): FormulaToken {
  if (number !== undefined) return { kind: 'number', value: Number(number) };
  if (text !== undefined) return { kind: 'text', value: text };
  if (name !== undefined) return { kind: 'name', value: name.toUpperCase() };
  return { kind: 'sign', value: sameSign[sign] ?? sign };
}

/** Splits a formula. Throws `FormulaFault`. */
export function splitTokens(formula: string): FormulaToken[] {
  if (formula.length > maxFormulaLength) throw new FormulaFault(`must have at most ${maxFormulaLength} characters`);
  const text = formula.trimEnd();
  const tokens: FormulaToken[] = [];
  pieces.lastIndex = 0;
  while (pieces.lastIndex < text.length) {
    const from = pieces.lastIndex;
    const groups = pieces.exec(text)?.groups;
    if (!groups) throw new FormulaFault(`has something that is no part of a formula after character ${from}`);
    tokens.push(tokenOf(groups));
  }
  return tokens;
}
