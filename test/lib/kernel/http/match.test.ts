import { describe, expect, test } from 'vitest';
import { compareSpecificity, createRouter, matchPath } from '#kernel/http/match.ts';

describe('a path fits a pattern', () => {
  test.each([
    ['/v1/vouchers/{code}', '/v1/vouchers/A', { code: 'A' }],
    ['/v1/vouchers/{code}', '/v1/vouchers/A%2FB', { code: 'A%2FB' }],
    ['/v1/{a}/x/{b}', '/v1/1/x/2', { a: '1', b: '2' }],
    ['/{path+}', '/a', { path: 'a' }],
    ['/{path+}', '/a/b/', { path: 'a/b/' }],
    ['/v1/{rest+}', '/v1//', { rest: '/' }],
    ['/healthz', '/healthz', {}],
  ])('%s takes %s', (pattern, path, params) => {
    expect(matchPath(pattern, path)).toEqual(params);
  });

  test.each([
    ['/v1/vouchers/{code}', '/v1/vouchers'],
    ['/v1/vouchers/{code}', '/v1/vouchers/'],
    ['/v1/vouchers/{code}', '/v1/vouchers/A/'],
    ['/v1/vouchers/{code}', '/v1/vouchers/A/B'],
    ['/v1/vouchers/{code}', '/V1/vouchers/A'],
    ['/v1/vouchers/{code}', 'v1/vouchers/A'],
    ['/v1/vouchers/{code}', '//v1/vouchers/A'],
    ['/{path+}', '/'],
    ['/{path+}', '*'],
  ])('%s does not take %s', (pattern, path) => {
    expect(matchPath(pattern, path)).toBeUndefined();
  });
});

describe('among matching patterns, the most specific comes first', () => {
  const inOrder = (...paths: string[]) => {
    return paths
      .map((path) => ({ path }))
      .toSorted(compareSpecificity)
      .map(({ path }) => path);
  };

  test.each([
    ['a fixed segment before a parameter', ['/v1/promotions/tiers', '/v1/promotions/{id}']],
    ['the first difference decides', ['/v1/members/{id}/{part}', '/v1/{id}/members/tiers']],
    ['a parameter before a greedy one', ['/v1/{id}', '/v1/{rest+}']],
    ['a greedy one last, however long', ['/v1/{id}/x', '/v1/{rest+}', '/{path+}']],
  ])('%s', (_, paths) => {
    expect(inOrder(...paths)).toEqual(paths);
    expect(inOrder(...paths.toReversed())).toEqual(paths);
  });

  test('equally specific patterns keep their order', () => {
    expect(inOrder('/b/{x}', '/a/{y}')).toEqual(['/b/{x}', '/a/{y}']);
    expect(inOrder('/a/{y}', '/b/{x}')).toEqual(['/a/{y}', '/b/{x}']);
  });
});

test('a router finds the most specific line of the method, with the parameters of the path', () => {
  const find = createRouter([
    { method: 'GET', path: '/v1/{rest+}' },
    { method: 'GET', path: '/v1/{id}' },
    { method: 'DELETE', path: '/v1/tiers' },
    { method: 'GET', path: '/v1/tiers' },
  ]);
  expect(find('GET', '/v1/tiers')).toEqual({ line: { method: 'GET', path: '/v1/tiers' }, params: {} });
  expect(find('GET', '/v1/other')).toMatchObject({ line: { path: '/v1/{id}' }, params: { id: 'other' } });
  expect(find('GET', '/v1/a/b')).toMatchObject({ line: { path: '/v1/{rest+}' }, params: { rest: 'a/b' } });
  expect(find('DELETE', '/v1/tiers')).toMatchObject({ line: { method: 'DELETE' } });
  expect(find('PUT', '/v1/tiers')).toBeUndefined();
  expect(find('GET', '/v2/tiers')).toBeUndefined();
});
