import { readdir } from 'node:fs/promises';
import * as v from 'valibot';
import { expect, inject, test } from 'vitest';
import { operations } from '../../infra/operations.ts';
import { importOf, linesOf, sharedBundle } from '../support/bundles.ts';
import { fileTable } from '../support/dependencies.ts';
import { loadProject } from '../support/project.ts';

const managing = operations.filter(({ family }) => family === 'management');
const bundle = await sharedBundle('management');

const replySchema = v.object({
  statusCode: v.number(),
  headers: v.record(v.string(), v.string()),
  body: v.optional(v.pipe(v.string(), v.parseJson())),
});
const outcome = v.object({ replies: v.array(replySchema), log: v.array(v.string()) });

/** Calls the deployed function once for each request, in a process that has only the bundle. IAM lets in signed calls. */
async function repliesTo(requests: readonly { line: string; body?: object; unsigned?: true }[]) {
  const events = requests.map(({ line, body, unsigned }, index) => {
    const [method = '', path = ''] = line.split(' ');
    const iam = { userArn: 'arn:aws:iam::123456789012:user/operator' };
    return {
      version: '2.0',
      routeKey: 'ANY /management/v1/{proxy+}',
      rawPath: path,
      rawQueryString: '',
      headers: { host: 'api.example.com', 'content-type': 'application/json' },
      pathParameters: { proxy: path.replace('/management/v1/', '') },
      requestContext: {
        requestId: `request-${index}`,
        domainName: 'api.example.com',
        timeEpoch: 0,
        http: { method, path },
        ...(unsigned ? {} : { authorizer: { iam } }),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
      isBase64Encoded: false,
    };
  });
  const script = `
    const { handler } = ${importOf(bundle)};
    const log = [];
    const write = process.stdout.write.bind(process.stdout);
    process.stdout.write = (line) => { log.push(line); return true; };
    const replies = [];
    for (const event of ${JSON.stringify(events)}) {
      replies.push(await handler(event, { getRemainingTimeInMillis: () => 10_000 }));
    }
    write(JSON.stringify({ replies, log }));`;
  const env = { TABLE_NAME: fileTable(), DYNAMODB_ENDPOINT: inject('endpoint'), MANAGEMENT_GUARD: 'iam' };
  const { replies, log } = v.parse(outcome, JSON.parse((await linesOf(script, env)).at(-1) ?? ''));
  return { replies, log: log.map((line) => JSON.parse(line)) };
}

test('one deployed function answers several operations, and logs each as its own', async () => {
  const { id } = await loadProject();
  const project = `/management/v1/projects/${id}`;
  const { replies, log } = await repliesTo([
    { line: `GET ${project}` },
    {
      line: `POST ${project}/webhooks`,
      body: { target_url: 'https://shop.example/hook', events: ['voucher.created'] },
    },
    { line: `GET ${project}/webhooks` },
    { line: `POST ${project}/keys`, body: { type: 'SERVER', name: 'Till 7' } },
    { line: `GET ${project}/users` },
  ]);
  expect(replies.map(({ statusCode, body }) => [statusCode, body])).toMatchObject([
    [200, { id }],
    [200, { target_url: 'https://shop.example/hook' }],
    [200, { data: [{ target_url: 'https://shop.example/hook' }] }],
    [200, { type: 'SERVER' }],
    [200, {}],
  ]);
  expect(log.map(({ route, status, manager }) => [route, status, manager])).toEqual([
    ['GET /management/v1/projects/{projectId}', 200, 'operator'],
    ['POST /management/v1/projects/{projectId}/webhooks', 200, 'operator'],
    ['GET /management/v1/projects/{projectId}/webhooks', 200, 'operator'],
    ['POST /management/v1/projects/{projectId}/keys', 200, 'operator'],
    ['GET /management/v1/projects/{projectId}/users', 200, 'operator'],
  ]);
});

test('it answers unknown paths with 404 and unknown methods with 405, and refuses calls that IAM has not checked', async () => {
  const { replies } = await repliesTo([
    { line: 'GET /management/v1/castles' },
    { line: 'PATCH /management/v1/projects/proj_1' },
    { line: 'GET /management/v1/projects/proj_1', unsigned: true },
    { line: 'GET /management/v1/projects/no-such-project' },
  ]);
  expect(replies).toMatchObject([
    { statusCode: 404, body: { key: 'not_found', request_id: 'request-0' }, headers: { 'X-Request-Id': 'request-0' } },
    { statusCode: 405, body: { key: 'method_not_allowed' }, headers: { Allow: 'DELETE, GET, PUT' } },
    { statusCode: 401, body: { key: 'unauthorized' } },
    { statusCode: 404, body: { key: 'not_found' } },
  ]);
});

test('its start reads less than the functions of single operations, because each operation is loaded on demand', async () => {
  const files = (await readdir(bundle.dir)).filter((file) => file.endsWith('.mjs'));
  expect(files.length).toBeGreaterThan(managing.length);
  expect(bundle.gzipBytes).toBeLessThanOrEqual(115_000);
});

test('a start in Lambda opens the connection, and ends without a table, too', async () => {
  const script = `const { handler } = ${importOf(bundle)}; console.log(typeof handler);`;
  const env = { TABLE_NAME: fileTable(), AWS_LAMBDA_FUNCTION_NAME: 'management' };
  expect(await linesOf(script, { ...env, DYNAMODB_ENDPOINT: inject('endpoint') })).toEqual(['function']);
  expect(await linesOf(script, { ...env, DYNAMODB_ENDPOINT: 'http://127.0.0.1:1' })).toEqual(['function']);
});
