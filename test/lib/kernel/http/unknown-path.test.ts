import { expect, test } from 'vitest';
import { explainUnknownPath, findPage, findSlashedList } from '#kernel/http/unknown-path.ts';
import { routes } from '../../../../infra/operations.ts';

test.each(['/v1', '/v1/vouchers/', '/v2/vouchers/A', '/v1/vouchers/A/b/c', '/v1/VOUCHERS/A', '//'])(
  'no operation has the path %s: not_found',
  (path) => {
    const { key, details } = explainUnknownPath(routes, { method: 'GET', path });
    expect(key).toBe('not_found');
    expect(details).toBe('no operation has this path; /openapi.json has what is served, /docs shows it');
  },
);

test.each([
  ['/', '/console'],
  ['/docs/', '/docs'],
])('%s leads a browser to %s', (path, page) => {
  expect(findPage({ method: 'GET', path }, '/console')).toBe(page);
  expect(findPage({ method: 'POST', path }, '/console')).toBeUndefined();
});

test.each([
  ['GET', '/v1/vouchers/', '/v1/vouchers'],
  ['POST', '/v1/customers/', '/v1/customers'],
  ['DELETE', '/v1/vouchers/', undefined],
  ['GET', '/v1/vouchers', undefined],
  ['GET', '/v1/vouchers//', undefined],
  // The gateway decodes `A%2F` to this path, and the code A is another code.
  ['GET', '/v1/vouchers/A/', undefined],
  ['GET', '//v1/vouchers/', undefined],
  ['GET', '/v1/nothing/', undefined],
])('%s %s means the list %s', (method, path, list) => {
  expect(findSlashedList(routes, { method, path })).toBe(list);
});

test.each([
  ['DELETE', '/v1/vouchers/A/transactions', 'GET'],
  ['GET', '/v1/vouchers/A/enable', 'POST'],
  ['POST', '/v1/assets/qr/x', 'GET'],
  ['OPTIONS', '/v1/vouchers/A/transactions', 'GET'],
])('%s %s is method_not_allowed and lists the methods of the path', (method, path, allow) => {
  const { key, headers, details } = explainUnknownPath(routes, { method, path });
  expect([key, headers.Allow]).toEqual(['method_not_allowed', allow]);
  expect(details).toContain(allow);
});
