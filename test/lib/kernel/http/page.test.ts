import * as v from 'valibot';
import { expect, test } from 'vitest';
import { describeIssues } from '#kernel/core/issues.ts';
import { computeOffset, pageQuery } from '#kernel/http/page.ts';

const schema = v.object(pageQuery);

test('a query without limit and page returns the first ten items', () => {
  expect(v.parse(schema, {})).toEqual({ limit: 10, page: 1 });
});

test('limit and page are integers of 1 to 100', () => {
  expect(v.parse(schema, { limit: '1', page: '100' })).toEqual({ limit: 1, page: 100 });
  expect(v.parse(schema, { limit: '100', page: '1' })).toEqual({ limit: 100, page: 1 });
});

test.each(['0', '101', 'x', '', '-1', '+1', '1.5', '1e1', ' 1', '01', '0x10', '1000'])(
  '%j is neither a limit nor a page, and each is refused by its name and range',
  (text) => {
    const { issues = [] } = v.safeParse(schema, { limit: text, page: text });
    expect(describeIssues(issues, 'the query')).toEqual([
      'limit must be an integer from 1 to 100',
      'page must be an integer from 1 to 100',
    ]);
  },
);

test('a page begins after the pages before it', () => {
  expect(computeOffset({ limit: 10, page: 1 })).toBe(0);
  expect(computeOffset({ limit: 100, page: 100 })).toBe(9_900);
});
