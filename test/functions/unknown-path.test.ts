import { expect, test } from 'vitest';
import { handler } from '../../functions/unknown-path.ts';
import { caller } from '../support/call.ts';

const call = caller(handler);

test.each([
  '/',
  '/v1',
  '/v1/vouchers',
  '/v1/vouchers/',
  '/v2/vouchers/A',
  '/v1/vouchers/A/b/c',
  '/v1/VOUCHERS/A',
  '//',
])('no operation has the path %s: 404', async (path) => {
  const { status, body } = await call({ path, method: 'GET' });
  expect([status, body.key]).toEqual([404, 'not_found']);
  expect(body).not.toHaveProperty('resource_id');
});

test.each([
  ['DELETE', '/v1/vouchers/A', 'GET'],
  ['GET', '/v1/vouchers/A/enable', 'POST'],
  ['POST', '/v1/assets/qr/x', 'GET'],
  ['OPTIONS', '/v1/vouchers/A', 'GET'],
])('%s %s is 405 and tells what the path takes', async (method, path, allow) => {
  const { status, headers, body } = await call({ path, method });
  expect([status, body.key, headers.Allow]).toEqual([405, 'method_not_allowed', allow]);
  expect(body.details).toContain(allow);
});
