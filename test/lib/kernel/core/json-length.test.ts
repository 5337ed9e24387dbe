import { expect, test } from 'vitest';
import { isLongerAsJson } from '#kernel/core/json-length.ts';

test.each([
  ['an empty object', {}],
  ['an empty list', []],
  ['a text with a quote and a letter of two bytes', 'ø"'],
  ['a number', -1.5],
  ['nothing', null],
  ['nested values', { a: [1, true, null, { 'k"ø': 'x' }], b: {}, c: [[], ['']] }],
])('%s has as many bytes as its JSON', (_, value) => {
  const bytes = Buffer.byteLength(JSON.stringify(value));
  expect(isLongerAsJson(value, bytes)).toBe(false);
  expect(isLongerAsJson(value, bytes - 1)).toBe(true);
});

test('a value that is nested deeper than JSON can be written is measured', () => {
  let deep: unknown = 1;
  for (let level = 0; level < 200_000; level++) deep = [deep];
  expect(isLongerAsJson(deep, 300_000)).toBe(true);
  expect(isLongerAsJson(deep, 400_001)).toBe(false);
});
