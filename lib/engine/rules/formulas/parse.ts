import { pieces } from './formula-parts.ts';
import { dateOperators, formulaOperators } from './operators.ts';

/** Splits formulas into tokens. */

type FormulaToken =
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
function splitTokens(formula: string): FormulaToken[] {
  if (formula.length > maxFormulaLength) throw new FormulaFault(`must have at most ${maxFormulaLength} characters`);
  const text = formula.trimEnd();
  const tokens: FormulaToken[] = [];
  pieces.lastIndex = 0;
  while (pieces.lastIndex < text.length) {
    const from = pieces.lastIndex;
    const groups = pieces.exec(text)?.groups;
    if (!groups) throw new FormulaFault(`has text that does not belong to a formula after character ${from}`);
    tokens.push(tokenOf(groups));
  }
  return tokens;
}

export type Expression =
  | { readonly kind: 'literal'; readonly value: number | string }
  | { readonly kind: 'call'; readonly name: string; readonly args: readonly Expression[] }
  | { readonly kind: 'operation'; readonly operator: string; readonly left: Expression; readonly right: Expression };

/** Limits nested brackets and signs. */
export const maxFormulaDepth = 50;

/** Operators from the weakest binding up. Operators of one level are left-associative. */
const levels: readonly ReadonlySet<string>[] = [
  new Set(['OR']),
  new Set(['AND']),
  new Set(
    [...Object.keys(formulaOperators), ...Object.keys(dateOperators)].filter(
      (name) => !/^(?:OR|AND|[-+*/%])$/.test(name),
    ),
  ),
  new Set(['+', '-']),
  new Set(['*', '/', '%']),
];

/** A function whose cases follow each other without separators. */
const unseparated = 'SWITCH_CASE';

class Parser {
  private readonly tokens: readonly FormulaToken[];
  private place = 0;
  private depth = 0;

  constructor(tokens: readonly FormulaToken[]) {
    this.tokens = tokens;
  }

  whole(): Expression {
    const expression = this.expression();
    if (this.place < this.tokens.length) throw new FormulaFault('continues after its end');
    return expression;
  }

  private isNext(kind: FormulaToken['kind'], value: string): boolean {
    const token = this.tokens[this.place];
    return token?.kind === kind && token.value === value;
  }

  private takes(sign: string): boolean {
    if (!this.isNext('sign', sign)) return false;
    this.place += 1;
    return true;
  }

  private expression(level = 0): Expression {
    const known = levels[level];
    if (!known) return this.signed();
    let left = this.expression(level + 1);
    for (let operator = this.operator(known); operator !== undefined; operator = this.operator(known)) {
      left = { kind: 'operation', operator, left, right: this.expression(level + 1) };
    }
    return left;
  }

  private operator(known: ReadonlySet<string>): string | undefined {
    const token = this.tokens[this.place];
    if (token?.kind !== 'sign' && token?.kind !== 'name') return undefined;
    if (!known.has(token.value)) return undefined;
    this.place += 1;
    return token.value;
  }

  /** Counts signs and brackets, which nest formulas. */
  private signed(): Expression {
    this.depth += 1;
    if (this.depth > maxFormulaDepth) throw new FormulaFault(`must have at most ${maxFormulaDepth} nested brackets`);
    const expression: Expression = this.takes('-')
      ? { kind: 'operation', operator: '-', left: { kind: 'literal', value: 0 }, right: this.signed() }
      : this.operand();
    this.depth -= 1;
    return expression;
  }

  private operand(): Expression {
    if (this.takes('(')) {
      const inner = this.expression();
      if (!this.takes(')')) throw new FormulaFault('has a bracket that is not closed');
      return inner;
    }
    const token = this.tokens[this.place];
    this.place += 1;
    if (token?.kind === 'number' || token?.kind === 'text') return { kind: 'literal', value: token.value };
    if (token?.kind !== 'name') throw new FormulaFault('lacks a value');
    return { kind: 'call', name: token.value, args: this.takes('(') ? this.args() : [] };
  }

  private args(): Expression[] {
    if (this.takes(')')) return [];
    const args = [this.expression()];
    while (this.takes(';') || this.isNext('name', unseparated)) args.push(this.expression());
    if (!this.takes(')')) throw new FormulaFault('has a bracket that is not closed');
    return args;
  }
}

/** Parses a formula. Throws `FormulaFault`. */
export function parseFormula(text: string): Expression {
  return new Parser(splitTokens(text)).whole();
}
