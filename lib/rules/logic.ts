import { isDeepStrictEqual } from 'node:util';

/** Parses the expression that joins rules by their keys: `(1 and 2) or 3`. `and` binds tighter, and `&&` and `||` are synonyms. */

export type Logic = { readonly key: string } | { readonly all: readonly Logic[] } | { readonly any: readonly Logic[] };

export const maxLogicLength = 5_000;
export const maxBrackets = 20;

/** The reason why an expression was refused. */
export class LogicFault extends Error {}

export function joinAll(keys: readonly string[]): Logic {
  return { all: keys.map((key) => ({ key })) };
}

/** Matches the end of a key: the end of the text, a blank, a bracket or a sign. */
const isBoundary = /^(?:$|[\s()]|&&|\|\|)/;
const blanks = /^\s+/;
const joiners = { and: /^(?:&&|and(?![^\s(]))/i, or: /^(?:\|\||or(?![^\s(]))/i } as const;

/**
 * Parses an expression over the keys, which can be any texts. The longest key that fits an operand is meant. The empty expression is always
 * met. Throws `LogicFault`.
 */
export function parseLogic(text: string, keys: readonly string[]): Logic {
  if (text.length > maxLogicLength) throw new LogicFault(`must have at most ${maxLogicLength} characters`);
  const byLength = keys.toSorted((one, other) => other.length - one.length);
  let rest = text;
  let depth = 0;
  const place = () => `at character ${text.length - rest.length + 1}`;
  const skip = (length: number) => {
    rest = rest.slice(length).replace(blanks, '');
  };
  const takes = (pattern: RegExp) => {
    const [found] = pattern.exec(rest) ?? [];
    if (found === undefined) return false;
    skip(found.length);
    return true;
  };

  function operand(): Logic {
    const key = byLength.find((one) => one !== '' && rest.startsWith(one) && isBoundary.test(rest.slice(one.length)));
    if (key !== undefined) {
      skip(key.length);
      return { key };
    }
    if (!rest.startsWith('(')) {
      throw new LogicFault(
        rest === '' ? 'ends where a rule is expected' : `must name one of the rules or open a bracket ${place()}`,
      );
    }
    depth += 1;
    if (depth > maxBrackets) throw new LogicFault(`must have at most ${maxBrackets} nested brackets`);
    skip(1);
    const inner = joined('or');
    if (!rest.startsWith(')')) throw new LogicFault(`must join rules by and, or, or close its bracket ${place()}`);
    skip(1);
    depth -= 1;
    return inner;
  }

  function joined(by: 'and' | 'or'): Logic {
    const next = by === 'or' ? () => joined('and') : operand;
    const first = next();
    const parts = [first];
    while (takes(joiners[by])) parts.push(next());
    return parts.length === 1 ? first : by === 'or' ? { any: parts } : { all: parts };
  }

  skip(0);
  if (rest === '') return { all: [] };
  const logic = joined('or');
  if (rest !== '') throw new LogicFault(`must join rules by and, or ${place()}`);
  return logic;
}

function readLogic(text: string, keys: readonly string[]): Logic | undefined {
  try {
    return parseLogic(text, keys);
  } catch (error) {
    if (error instanceof LogicFault) return undefined;
    throw error;
  }
}

/** Returns the expression that joins all rules, or nothing if keys have words with a meaning in the expression. */
export function writeLogicOfAll(keys: readonly string[]): string | undefined {
  const text = keys.join(' and ');
  const logic = readLogic(text, keys);
  const parts = logic && ('all' in logic ? logic.all : [logic]);
  const isRead = parts?.length === keys.length && keys.every((key, index) => isDeepStrictEqual(parts[index], { key }));
  return isRead ? text : undefined;
}
