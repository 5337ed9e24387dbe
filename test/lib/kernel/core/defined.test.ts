import { expect, test } from 'vitest';
import { defined } from '#kernel/core/defined.ts';

test('fields without a value are left out, and all others stay unchanged', () => {
  const fields = defined({ a: 1, b: undefined, c: null, d: '', e: false });
  expect(Object.entries(fields)).toEqual([
    ['a', 1],
    ['c', null],
    ['d', ''],
    ['e', false],
  ]);
});

test('an optional field stays optional in the type', () => {
  const limit: number | undefined = [10].at(1);
  const { limit: shown, name } = defined({ limit, name: 'Spring' });
  const known: string = name;
  expect([shown ?? 'none', known]).toEqual(['none', 'Spring']);
});
