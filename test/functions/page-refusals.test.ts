import { describe, expect, test } from 'vitest';
import { handler as validate } from '../../functions/client/validate-from-page.ts';
import { caller } from '../support/call.ts';
import { pageShop, ten } from '../support/page-shop.ts';
import { page } from '../support/pages.ts';

const call = (headers: Record<string, string>) =>
  caller(validate)({ headers, body: { redeemables: [ten], order: { amount: 100 } } });

const detailsOf = async (headers: Record<string, string>) => {
  const { status, body } = await call(headers);
  expect([status, body.key]).toEqual([401, 'unauthorized']);
  return body.details as string;
};

describe('the 401 of a page says that', () => {
  test('a header of the key is missing', async () => {
    const { headers } = await pageShop();
    for (const name of ['x-client-application-id', 'x-client-token']) {
      const others = Object.entries(headers).filter(([one]) => one !== name);
      expect(await detailsOf(Object.fromEntries(others))).toContain(
        'X-Client-Application-Id and X-Client-Token are required',
      );
    }
  });

  test('Origin is missing', async () => {
    const { headers } = await pageShop();
    const { origin: _, ...others } = headers;
    expect(await detailsOf(others)).toContain('the header Origin is required');
  });

  test('the page is not one of the key, to callers that have the right token alone', async () => {
    const { headers, headersFrom } = await pageShop();
    const foreign = headersFrom('https://elsewhere.example');
    expect(await detailsOf(foreign)).toContain('the page in Origin may not use this key');
    const guessed = await detailsOf({ ...foreign, 'x-client-token': 'guessed' });
    expect(guessed).toBe(await detailsOf({ ...headers, 'x-client-token': 'guessed' }));
  });

  test('id and token name no active key, in the same words for an unknown id and a wrong token', async () => {
    const { headers } = await pageShop();
    const wrong = await detailsOf({ ...headers, 'x-client-token': 'guessed' });
    expect(wrong).toContain('must name an active client key and its token');
    expect(await detailsOf({ ...headers, 'x-client-application-id': 'unknown' })).toBe(wrong);
    expect(headers.origin).toBe(page);
    expect((await call(headers)).status).toBe(200);
  });
});
