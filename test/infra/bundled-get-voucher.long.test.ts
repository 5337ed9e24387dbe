import { readFile } from 'node:fs/promises';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { join } from 'node:path';
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { importOf, lastLineOf, linesOf, sharedBundle } from '../support/bundles.ts';
import { namedTable } from '../support/operator.ts';

const bundle = await sharedBundle('get-voucher');

const eventOf = (headers: Record<string, string>) => ({
  version: '2.0',
  routeKey: 'GET /v1/vouchers/{code}',
  rawPath: '/v1/vouchers/WELCOME',
  rawQueryString: '',
  headers: { host: 'api.example.com', ...headers },
  pathParameters: { code: 'WELCOME' },
  requestContext: { requestId: 'request-1', domainName: 'api.example.com', http: { method: 'GET' } },
  isBase64Encoded: false,
});

const replySchema = v.object({
  statusCode: v.number(),
  headers: v.record(v.string(), v.string()),
  body: v.pipe(v.string(), v.parseJson()),
});

/** Calls the bundled get-voucher as Lambda does. */
const callOf = (headers: Record<string, string>) => `const module = ${importOf(bundle)};
  const context = { getRemainingTimeInMillis: () => 10_000 };
  const reply = await module.handler(${JSON.stringify(eventOf(headers))}, context);
  console.log(JSON.stringify(reply));`;

async function getVoucher(headers: Record<string, string>, env: Readonly<Record<string, string>>) {
  return v.parse(replySchema, await lastLineOf(callOf(headers), env));
}

describe('the bundled get-voucher', () => {
  const unauthorized = {
    statusCode: 401,
    headers: { 'X-Request-Id': 'request-1' },
    body: { code: 401, key: 'unauthorized', request_id: 'request-1' },
  };

  test('answers missing credentials with 401 in the one error body', async () => {
    expect(await getVoucher({}, namedTable())).toMatchObject(unauthorized);
  });

  test('answers an unknown app id with the same 401', async () => {
    const headers = { 'x-app-id': 'unknown', 'x-app-token': 'unknown' };
    expect(await getVoucher(headers, namedTable())).toMatchObject(unauthorized);
  });

  test('logs an unexpected failure with places in our own sources', async () => {
    const headers = { 'x-app-id': 'unknown', 'x-app-token': 'unknown' };
    const lines = await linesOf(callOf(headers), { ...namedTable(), TABLE_NAME: 'no-such-table' });
    const { stack } = v.parse(v.pipe(v.string(), v.parseJson(), v.object({ stack: v.string() })), lines.at(-2));
    const [, file = '', line] = /\((lib\/kernel\/table\/reads\.ts):(\d+):\d+\)/.exec(stack) ?? [];
    const source = await readFile(join(import.meta.dirname, '../..', file), 'utf8');
    expect(source.split('\n')[Number(line) - 1]).toContain('connection.client.send(');
  });

  test("signs with the credentials and the region of Lambda's environment", async () => {
    let received: IncomingHttpHeaders = {};
    const server = createServer((request, response) => {
      received = request.headers;
      response.setHeader('content-type', 'application/x-amz-json-1.0').end('{}');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : undefined;
    try {
      const reply = await getVoucher(
        { 'x-app-id': 'unknown', 'x-app-token': 'unknown' },
        {
          TABLE_NAME: 'table',
          AWS_ENDPOINT_URL_DYNAMODB: `http://127.0.0.1:${port}`,
          AWS_REGION: 'eu-west-3',
          AWS_ACCESS_KEY_ID: 'ACCESSKEYOFROLE',
          AWS_SECRET_ACCESS_KEY: 'secret',
          AWS_SESSION_TOKEN: 'session',
        },
      );
      expect(reply).toMatchObject(unauthorized);
    } finally {
      server.close();
    }
    expect(received.authorization).toMatch(/Credential=ACCESSKEYOFROLE\/\d{8}\/eu-west-3\/dynamodb\/aws4_request/);
    expect(received['x-amz-security-token']).toBe('session');
  });
});
