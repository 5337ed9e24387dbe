import * as v from 'valibot';
import { expect, test } from 'vitest';
import { joinFaults } from '#kernel/core/errors.ts';
import { describeIssues } from '#kernel/core/issues.ts';
import { array, object } from '#kernel/core/schema.ts';

const rows = object({ rows: array(object({ name: v.string() }), 100_000) });
const told = (names: unknown[]) => {
  const result = v.safeParse(rows, { rows: names.map((name) => ({ name, beside: 1 })) });
  return result.success ? result.output : joinFaults(describeIssues(result.issues, 'the body'));
};

test('a long list is checked completely, with the result of a short one', () => {
  const names = Array.from({ length: 1_234 }, (_, index) => `name ${index}`);
  expect(told(names)).toEqual({ rows: names.map((name) => ({ name })) });
});

test('each fault of a long list is reported with its place, up to a hundred, and the rest are counted', () => {
  const faulty = (...places: number[]) =>
    Array.from({ length: 1_600 }, (_, index) => (places.includes(index) ? 1 : 'a'));
  expect(told(faulty(499, 500, 1_599))).toBe(
    [499, 500, 1_599].map((place) => `rows[${place}].name must be a string`).join('; '),
  );
  const all = told(Array(2_000).fill(1));
  expect(all).toMatch(/; rows\[99\]\.name must be a string; and 1900 more$/);
});
