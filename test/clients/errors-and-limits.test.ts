import { describe, expect, test } from 'vitest';
import { servedDemo } from './served-demo.ts';

const { client, clientWith } = servedDemo();

describe('an error of the client', () => {
  test('names the resource that it is about', async () => {
    const failure = client().vouchers.get('NOPE');
    await expect(failure).rejects.toThrow('Resource not found');
    await expect(failure).rejects.toMatchObject({
      code: 404,
      key: 'not_found',
      details: expect.stringContaining('voucher'),
      request_id: expect.stringMatching(/^[\da-f-]{36}$/),
      resource_id: 'NOPE',
      resource_type: 'voucher',
    });
  });

  test('lists every fault of a body with its place', async () => {
    const entries = [{ code: 'CREW-INGRID', points: 0, source_id: '' }];
    await expect(client().loyalties.transferPoints('camp_crew', 'CREW-OLUF', entries)).rejects.toMatchObject({
      code: 400,
      key: 'invalid_payload',
      details: '[0].points must be 1 or more; [0].source_id must not be empty',
      request_id: expect.any(String),
      resource_id: undefined,
      resource_type: undefined,
    });
  });

  test('distinguishes a wrong secret key from a missing resource', async () => {
    const stranger = clientWith({ 'x-app-token': 'guessed' });
    await expect(stranger.vouchers.get('TIDE-HELLO')).rejects.toMatchObject({ code: 401, key: 'unauthorized' });
  });
});

test('the client reads how many calls are left', async () => {
  await client().vouchers.get('TIDE-HELLO');
  const { apiLimitsHandler: limits } = client();
  expect(limits.areLimitsAvailable()).toBe(true);
  for (const left of [limits.getRateLimit(), limits.getRateLimitRemaining()]) expect(left).toEqual(expect.any(Number));
});
