import { expect, test } from 'vitest';
import { logTo, shortenForPeople } from '../../../infra/local/readable-log.ts';

const time = '2026-03-01T12:30:45.123Z';
const clock = new Date(time).toTimeString().slice(0, 8);
const request = {
  level: 'info',
  time,
  request_id: '495dd2a7-b423-41e9-ae27-a8876a7ed673',
  route: 'GET /v1/vouchers/{code}',
  project_id: 'proj_demo',
  status: 200,
  duration_ms: 7,
  dynamodb_calls: 2,
};

test.each([
  ['a request', request, `${clock}  200  GET /v1/vouchers/{code}  7 ms`],
  [
    'a refusal',
    { ...request, status: 404, error_key: 'not_found' },
    `${clock}  404  GET /v1/vouchers/{code}  7 ms  not_found`,
  ],
  [
    'a failure',
    { ...request, status: 500, error_key: 'internal_error', cause: 'Error', cause_message: 'no table' },
    `${clock}  500  GET /v1/vouchers/{code}  7 ms  internal_error  Error: no table`,
  ],
  [
    'a request without a route',
    { time, status: 413, error_key: 'payload_too_large' },
    `${clock}  413  no route  payload_too_large`,
  ],
  [
    'an unknown path',
    { time, status: 404, route: '$default', method: 'GET', path: '/v2/nøpe\u001b' },
    `${clock}  404  GET /v2/n%C3%B8pe%1B: no route`,
  ],
])('a person sees one short line for %s', (_, entry, line) => {
  expect(shortenForPeople(JSON.stringify(entry))).toBe(line);
});

test.each(['{"level":"info","part":"mail","mail":{}}', 'no JSON'])(
  'a line that is no request stays unchanged: %s',
  (line) => {
    expect(shortenForPeople(line)).toBe(line);
  },
);

test('a terminal gets lines for people, and a file or a pipe gets JSON', () => {
  const written: string[] = [];
  const write = (text: string) => written.push(text);
  const line = JSON.stringify(request);
  logTo({ isTTY: true, write })(line);
  logTo({ write })(line);
  expect(written).toEqual([`${shortenForPeople(line)}\n`, `${line}\n`]);
});
