import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { expect, test } from 'vitest';
import { distributionHeaders } from '#kernel/http/distribution.ts';
import { answerWith } from '../../../infra/mcp/gateway-request.ts';

const proof = 'a-secret-of-the-distribution';

/** Returns the address that tools call after a call of the gateway with these headers. */
async function addressAfter(headers: Record<string, string>, known?: string): Promise<string> {
  const event = {
    headers,
    rawPath: '/mcp',
    requestContext: { requestId: 'r', domainName: 'own.execute-api.example', http: { method: 'GET' } },
  } as unknown as APIGatewayProxyEventV2;
  const { body } = await answerWith(async ({ url }) => new Response(new URL(url).origin), event, known);
  return body ?? '';
}

const ofDistribution = { [distributionHeaders.proof]: proof, [distributionHeaders.host]: 'shop.example' };

test('tools call the API by the distribution, because the API of /mcp has no other paths there', async () => {
  expect(await addressAfter(ofDistribution, proof)).toBe('https://shop.example');
});

test('tools call the API of the gateway in a stage without a distribution', async () => {
  expect(await addressAfter({})).toBe('https://own.execute-api.example');
});

test.each([
  ['another secret', { ...ofDistribution, [distributionHeaders.proof]: 'a-guess' }, proof],
  ['no secret', { [distributionHeaders.host]: 'evil.example' }, proof],
  ['a secret that the stage does not have', ofDistribution, undefined],
])('an address with %s is ignored', async (_, headers, known) => {
  expect(await addressAfter(headers, known)).toBe('https://own.execute-api.example');
});
