import { expect, test } from 'vitest';
import {
  buildGatewayEvent,
  decodeSegments,
  type ReceivedRequest,
  splitTarget,
} from '../../../infra/local/gateway-event.ts';

const received = {
  method: 'POST',
  target: '/v1/vouchers/A%2520B/enable?limit=2&name=a%20b&name=c+d&empty=',
  rawHeaders: [
    'Host',
    'shop.example:3000',
    'X-Tag',
    'one',
    'x-tag',
    'two',
    'Cookie',
    'a=1; b=2',
    'User-Agent',
    'till/1',
  ],
  body: Buffer.alloc(0),
  httpVersion: '1.1',
  sourceIp: '127.0.0.1',
  requestId: 'a-request',
  receivedAt: new Date('2026-03-12T19:03:58.123Z'),
  address: '127.0.0.1:3000',
};

const eventOf = (overrides: Partial<ReceivedRequest> = {}) =>
  buildGatewayEvent({ ...received, ...overrides }, 'POST /v1/vouchers/{code}/enable', '/v1/vouchers/A%20B/enable', {
    code: 'A%20B',
  });

const withType = (type: string, body: Buffer) =>
  eventOf({ body, rawHeaders: [...received.rawHeaders, 'Content-Type', type] });

test('an event has the shape of payload format 2.0', () => {
  expect(eventOf()).toEqual({
    version: '2.0',
    routeKey: 'POST /v1/vouchers/{code}/enable',
    rawPath: '/v1/vouchers/A%20B/enable',
    rawQueryString: 'limit=2&name=a%20b&name=c+d&empty=',
    queryStringParameters: { limit: '2', name: 'a b,c d', empty: '' },
    pathParameters: { code: 'A%20B' },
    cookies: ['a=1', 'b=2'],
    headers: {
      host: 'shop.example:3000',
      'x-tag': 'one,two',
      'user-agent': 'till/1',
      'x-forwarded-proto': 'http',
      'x-forwarded-for': '127.0.0.1',
    },
    requestContext: {
      accountId: 'local',
      apiId: 'local',
      domainName: 'shop.example:3000',
      domainPrefix: 'local',
      http: {
        method: 'POST',
        path: '/v1/vouchers/A%20B/enable',
        protocol: 'HTTP/1.1',
        sourceIp: '127.0.0.1',
        userAgent: 'till/1',
      },
      requestId: 'a-request',
      routeKey: 'POST /v1/vouchers/{code}/enable',
      stage: '$default',
      time: '12/Mar/2026:19:03:58 +0000',
      timeEpoch: 1773342238123,
    },
    isBase64Encoded: false,
  });
});

test.each([
  'application/json',
  'application/json; charset=utf-8',
  'application/merge-patch+json',
  'text/plain',
  'application/xml',
])('a body of type %s is passed on as text', (type) => {
  expect(withType(type, Buffer.from('{"é":1}'))).toMatchObject({ body: '{"é":1}', isBase64Encoded: false });
});

test.each(['application/x-www-form-urlencoded', 'application/octet-stream', 'application/jsonp', ''])(
  'a body of type "%s" is passed on in base64',
  (type) => {
    expect(withType(type, Buffer.from([0, 255]))).toMatchObject({ body: 'AP8=', isBase64Encoded: true });
  },
);

test.each(['', 'evil.example/path', 'user@evil.example', 'a b', 'x:99999999'])(
  'the address replaces the Host header "%s"',
  (host) => {
    expect(eventOf({ rawHeaders: ['Host', host] }).requestContext.domainName).toBe('127.0.0.1:3000');
  },
);

test.each(['localhost:3000', 'till_1.shop.example', '[::1]:3000'])('the Host header %s names the domain', (host) => {
  expect(eventOf({ rawHeaders: ['Host', host] }).requestContext.domainName).toBe(host);
});

test('a caller cannot claim another scheme', () => {
  const { headers } = eventOf({ rawHeaders: ['X-Forwarded-Proto', 'https', 'X-Forwarded-For', '10.0.0.1'] });
  expect(headers).toMatchObject({ 'x-forwarded-proto': 'http', 'x-forwarded-for': '10.0.0.1, 127.0.0.1' });
});

test.each([
  ['/a?b=c?d', '/a', 'b=c?d'],
  ['http://shop.example/a?b', '/a', 'b'],
  ['http://shop.example', '/', ''],
  ['http://shop.example?b', '/', 'b'],
  ['//a//b', '//a//b', ''],
  ['*', '*', ''],
])('the target %s has the path %s and the query "%s"', (target, path, query) => {
  expect(splitTarget(target)).toEqual({ path, query });
});

test.each([
  ['/a%2Fb/%23/%C3%A9/%2520', ['', 'a/b', '#', 'é', '%20']],
  ['/a%', undefined],
  ['/%E9', undefined],
  ['/%zz', undefined],
])('the segments of %s are decoded once', (path, segments) => {
  expect(decodeSegments(path)).toEqual(segments);
});
