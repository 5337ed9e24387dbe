import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LogicFault, maxBrackets, maxLogicLength, parseLogic } from '#engine/rules/check.ts';
import { compileRule } from '#engine/rules/compile.ts';

const now = new Date('2026-03-15T12:00:00Z');

/** Keys may be any texts, also ones that look like words of the language. */
const keys = ['1', '2', '10', 'a b', 'and', 'or', '(x)', 'über'];

/** An expression and its truth for given keys, computed by its own brackets instead of a parser. */
interface Drawn {
  readonly text: string;
  readonly holds: (truth: ReadonlySet<string>) => boolean;
}

const words = { and: ['and', 'AND', '&&', 'And'], or: ['or', 'OR', '||', 'oR'] } as const;

const { drawn } = fc.letrec<{ drawn: Drawn; any: Drawn; all: Drawn; part: Drawn; key: Drawn }>((tie) => {
  const joining = (by: 'and' | 'or', part: fc.Arbitrary<Drawn>) =>
    fc
      .tuple(fc.array(part, { minLength: 1, maxLength: 4 }), fc.constantFrom(...words[by]), fc.constantFrom(' ', '\n '))
      .map(
        ([parts, word, blank]): Drawn => ({
          text: parts.map(({ text }) => text).join(`${blank}${word}${blank}`),
          holds: (truth) =>
            by === 'and' ? parts.every(({ holds }) => holds(truth)) : parts.some(({ holds }) => holds(truth)),
        }),
      );
  return {
    key: fc.constantFrom(...keys).map((key): Drawn => ({ text: key, holds: (truth) => truth.has(key) })),
    part: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      tie('key'),
      tie('any').map(({ text, holds }): Drawn => ({ text: `( ${text} )`, holds })),
    ),
    all: joining('and', tie('part')),
    any: joining('or', tie('all')),
    drawn: tie('any'),
  };
});

test('an expression holds exactly if its truth table says so', () => {
  fc.assert(
    fc.property(drawn, fc.subarray(keys), ({ text, holds }, true_) => {
      fc.pre(text.length <= maxLogicLength);
      const truth = new Set(true_);
      const rules = Object.fromEntries(
        keys.map((key) => [key, { name: 'order.metadata', property: key, conditions: { $is: [true] } }]),
      );
      const metadata = Object.fromEntries(keys.map((key) => [key, truth.has(key)]));
      const { judge } = compileRule({ rules: { ...rules, logic: text } });
      expect(judge({ now, order: { items: [], metadata } }).met).toBe(holds(truth));
    }),
    { numRuns: 300, seed: 20_261_122 },
  );
});

test.each([
  ['1 and 2 or 3', { any: [{ all: [{ key: '1' }, { key: '2' }] }, { key: '3' }] }],
  ['1 or 2 and 3', { any: [{ key: '1' }, { all: [{ key: '2' }, { key: '3' }] }] }],
  ['(1||2)&&3', { all: [{ any: [{ key: '1' }, { key: '2' }] }, { key: '3' }] }],
  [' 1 ', { key: '1' }],
  ['', { all: [] }],
])('%s', (text, logic) => {
  expect(parseLogic(text, ['1', '2', '3'])).toEqual(logic);
});

test.each([
  ['1 and', 'ends where a rule is expected'],
  ['(1 and 2', 'must join rules by and, or, or close its bracket at character 9'],
  ['1 and 2)', 'must join rules by and, or at character 8'],
  ['1 2', 'must join rules by and, or at character 3'],
  ['1 and 4', 'must name one of the rules or open a bracket at character 7'],
  ['1 xor 2', 'must join rules by and, or at character 3'],
  ['1and 2', 'must name one of the rules or open a bracket at character 1'],
  ['not 1', 'must name one of the rules or open a bracket at character 1'],
  ['()', 'must name one of the rules or open a bracket at character 2'],
  ['1 & 2', 'must join rules by and, or at character 3'],
  ['('.repeat(maxBrackets + 1), `must have at most ${maxBrackets} nested brackets`],
  ['1 and '.repeat(maxLogicLength), `must have at most ${maxLogicLength} characters`],
])('%s is refused', (text, reason) => {
  expect(() => parseLogic(text, ['1', '2', '3'])).toThrow(new LogicFault(reason));
});

test('without logic all rules must hold, and without rules the result is true', () => {
  const rule = { name: 'order.amount', conditions: { $is: [1] } };
  const judged = (rules: object, amount: number) =>
    compileRule({ rules: { ...rules } }).judge({ now, order: { amount, items: [] } }).met;
  expect(judged({ a: rule, b: rule }, 1)).toBe(true);
  expect(judged({ a: rule, b: { ...rule, conditions: { $is: [2] } } }, 1)).toBe(false);
  expect(judged({ a: rule, logic: '' }, 2)).toBe(true);
  expect(judged({}, 2)).toBe(true);
});
