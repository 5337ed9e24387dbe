import fc from 'fast-check';
import { expect, test } from 'vitest';
import { filterOperators, type OperatorName } from '#kernel/kit/filters/operators.ts';
import { anyCharacter } from '../../../../support/any-character.ts';

const now = new Date('2026-03-15T12:00:00Z');
const met = (name: OperatorName, value: unknown, ...operands: (string | number | boolean)[]) =>
  filterOperators[name].test(operands)(value, now);

/** The operator, its operands, values that meet it, and values that do not. */
test.each<[OperatorName, (string | number | boolean)[], unknown[], unknown[]]>([
  ['$is', ['a'], ['a', ['b', 'a']], ['A', 'ab', ['b'], [], undefined, null, { a: 'a' }]],
  ['$is', ['5'], [5, '5', [4, 5]], [50, '5.0', true]],
  ['$is', [5], [5, '5', '5.0', ['4', '5']], [4, '4', '05', '5 ', '5e0', '']],
  ['$is', [-0.5], ['-0.5', '-0.50'], ['0.5', '-.5']],
  ['$is_not', [5], ['6'], ['5', '5.00']],
  ['$is', ['TRUE'], [true, 'TRUE'], [false, 'true', 1]],
  ['$is', [false], [false, 'false', 'False'], [true, 0, '0', '', undefined]],
  ['$is', [true], [true, 'true', 'TRUE'], ['yes', '1', 1]],
  ['$not_in', [true, 2], ['false', '3'], ['True', '2']],
  ['$is', ['a', 'b'], ['a', 'b'], ['c']],
  ['$is', ['2026-03-01'], [new Date('2026-03-01T23:00:00Z')], [new Date('2026-03-02T00:00:00Z')]],
  ['$is', ['2026-03-01T01:00+01:00'], [new Date('2026-03-01T00:00:00Z')], [new Date('2026-03-01T00:00:01Z')]],
  ['$is_not', ['a'], ['b', ['b'], [], undefined, null], ['a', ['b', 'a']]],
  ['$is_not', ['a', 'b'], ['c'], ['a', 'b']],
  ['$in', ['a', 2], ['a', 2, ['x', 2]], ['b', 3, undefined]],
  ['$not_in', ['a', 2], ['b', 3, undefined, null, []], ['a', 2, ['x', 2]]],
  ['$has_value', [], ['', 0, false, [], {}], [undefined, null]],
  ['$is_unknown', [true], [undefined, null], ['', 0, false, []]],
  ['$contains', ['an'], ['banana', ['x', 'an']], ['BANANA', ['banana'], 5, undefined]],
  ['$contains', ['5'], [[5], '1500'], [[50], 5, [true]]],
  ['$not_contain', ['an'], ['BANANA', ['banana'], 5, []], ['banana', ['an'], undefined, null]],
  ['$not_contain', ['a', 'b'], ['c'], ['xa', 'xb']],
  ['$starts_with', ['ab'], ['abc', ['x', 'ab']], ['cab', 5, undefined]],
  ['$ends_with', ['bc', 'x'], ['abc', 'x', ['bc']], ['bcd', undefined]],
  ['$more_than', [5], [6, 5.1, [1, 6]], [5, 4, '6', true, undefined]],
  ['$more_than', ['-5.5'], [-5], [-6]],
  ['$more_than', ['2026-03-01'], ['2026-03-01T00:00:01Z', '2026-03-02'], ['2026-03-01', 'soon', 1e15]],
  ['$less_than', [5], [4, -1], [5, 6, undefined]],
  ['$more_than_equal', [5], [5, 6], [4]],
  ['$less_than_equal', [5, 7], [5, 6, 7], [8]],
  ['$after', ['2026-03-01T10'], ['2026-03-01T10:00:01Z'], ['2026-03-01T10:00:00Z', 'x', 5, undefined]],
  ['$before', ['2026-03-01T10:30'], ['2026-03-01', '2026-03-01T11:29+01:00'], ['2026-03-01T10:30:00.000Z', null]],
  ['$is_days_ago', [14], ['2026-03-01T23:59:59Z', '2026-03-01'], ['2026-02-28T23:59:59Z', '2026-03-29']],
  ['$is_days_in_future', ['1'], ['2026-03-16T00:00Z'], ['2026-03-15T23:59Z', '2026-03-14']],
  ['$more_than_ago', [14], ['2026-02-28T23:59:59Z'], ['2026-03-01', '2026-03-30']],
  ['$less_than_ago', [14], ['2026-03-02', '2026-03-15T23:00Z'], ['2026-03-01', '2026-03-16']],
  ['$more_than_future', [2], ['2026-03-18'], ['2026-03-17', '2026-03-01']],
  ['$less_than_future', [2], ['2026-03-15', '2026-03-16'], ['2026-03-17', '2026-03-14']],
  [
    '$anniversary_in_days',
    [0, '7'],
    ['1990-03-15', '2026-03-15', '1990-03-22', '2026-03-22', '1990-03-15T23:59Z'],
    ['1990-03-14', '1990-03-16', '1990-04-15', '2027-03-15', '1990-03-16T00:00Z', 'soon', 15, undefined],
  ],
  ['$next_month', [], ['2026-04-01', '2026-04-30T23:59Z'], ['2026-03-31', '2026-05-01', '2027-04-01', undefined]],
  ['$count', [2], [['a', 'b']], [['a'], 'ab', 2, undefined]],
  ['$count_more', [1], [['a', 'b']], [['a'], undefined]],
  ['$count_less', ['1'], [[]], [['a'], undefined, null]],
  ['$more_than_or_equal', [5], [5, 6], [4, undefined]],
  ['$greater_than_or_equal', [5], [5], [4]],
  ['$less_than_or_equal', [5], [5, 4], [6, null]],
  [
    '$timeframe',
    ['2026-03-02T00:00:00Z;P7D;P1D'],
    ['2026-03-02', '2026-03-09T23:59Z', '2026-03-16T12:00Z'],
    ['2026-03-01', '2026-03-03T00:00Z', '9999-12-31T12:00Z', 'x', 5, undefined],
  ],
  [
    '$timeframe_absolute',
    ['2026-03-01;2026-03-02T12:00:00Z'],
    ['2026-03-01', '2026-03-02T11:59:59Z'],
    ['2026-02-28', '2026-03-02T12:00:00Z', 'x', undefined],
  ],
  [
    '$timeframe_daily_hours',
    ['09:00;17:30;1,2'],
    ['2026-03-16T09:00Z', '2026-03-17T17:29Z'],
    ['2026-03-16T08:59Z', '2026-03-16T17:30Z', '2026-03-18T10:00Z', 'x', undefined],
  ],
  ['$timeframe_daily_hours', ['22:00;02:00'], ['2026-03-16T23:00Z', '2026-03-17T01:59Z'], ['2026-03-17T02:00Z']],
  ['$dow', [0, '6'], ['2026-03-15', '2026-03-14T23:59Z'], ['2026-03-16', 0, undefined]],
  [
    '$not_differ',
    ['a', 'b'],
    [
      ['b', 'a'],
      ['a', 'b', 'a'],
    ],
    [['a'], ['a', 'b', 'c'], 'a', [], undefined],
  ],
  ['$not_differ', ['a'], ['a'], ['b', null]],
  ['$not_differ', [1, true], [['1', 'true']], [['1'], ['1', 'false']]],
  ['$not_intersect', ['a', 'b'], [['c'], 'c', []], [['c', 'a'], 'b', undefined, null]],
])('%s %j', (name, operands, those, others) => {
  expect(those.filter((value) => !met(name, value, ...operands))).toEqual([]);
  expect(others.filter((value) => met(name, value, ...operands))).toEqual([]);
});

const names = Object.keys(filterOperators).filter((name): name is OperatorName => name in filterOperators);

test('no operator throws for any value and operands', () => {
  const operand = fc.oneof(fc.string({ unit: anyCharacter }), fc.double(), fc.boolean(), fc.constant('2026-02-30'));
  const value = fc.oneof(fc.anything({ withDate: true, withBigInt: true }), operand, fc.array(operand));
  fc.assert(
    fc.property(fc.constantFrom(...names), fc.array(operand, { maxLength: 3 }), value, (name, operands, any) => {
      expect(typeof filterOperators[name].test(operands)(any, now)).toBe('boolean');
    }),
  );
});

test('a missing value meets only three operators', () => {
  for (const absent of [undefined, null]) {
    const taken = names.filter((name) => met(name, absent, '1'));
    expect(taken).toEqual(['$is_not', '$not_in', '$is_unknown']);
  }
});
