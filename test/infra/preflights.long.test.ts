import { expect, test } from 'vitest';
import { importOf, lastLineOf, sharedBundle } from '../support/bundles.ts';

/** Runs one call after the other in a Node.js process that has only the bundle. */
async function repliesTo(requests: readonly { path: string; method?: string; origin?: string }[]) {
  const bundle = await sharedBundle('preflights');
  const events = requests.map(({ path, method = 'OPTIONS', origin }) => ({
    rawPath: path,
    routeKey: 'OPTIONS /client/v1/{path+}',
    headers: origin === undefined ? {} : { origin },
    requestContext: { requestId: 'request-1', timeEpoch: 0, http: { method } },
  }));
  const script = `
    const { handler } = ${importOf(bundle)};
    const replies = [];
    for (const event of ${JSON.stringify(events)}) replies.push(await handler(event));
    console.log(JSON.stringify(replies));`;
  return (await lastLineOf(script)) as { statusCode: number; headers: Record<string, string>; body?: string }[];
}

test('the deployed function answers the preflights of client paths, and refuses other requests', async () => {
  const origin = 'https://shop.example';
  const [asked, unknown, plain] = await repliesTo([
    { path: '/client/v1/validations', origin },
    { path: '/client/v1/nothing', origin },
    { path: '/client/v1/validations' },
  ]);
  expect(asked).toMatchObject({
    statusCode: 204,
    headers: { 'Access-Control-Allow-Origin': origin, 'Access-Control-Allow-Methods': 'POST' },
  });
  expect([unknown?.statusCode, JSON.parse(unknown?.body ?? '').key]).toEqual([404, 'not_found']);
  expect([plain?.statusCode, plain?.headers.Allow]).toEqual([405, 'POST']);
});

test('it is small, because browsers wait for its start', async () => {
  expect((await sharedBundle('preflights')).gzipBytes).toBeLessThanOrEqual(8_000);
});
