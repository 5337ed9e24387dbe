import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { operations } from '../../infra/operations.ts';
import { importOf, lastLineOf, sharedBundle } from '../support/bundles.ts';

/** Proves that the deployed bundles know by LEFT_OUT alone what their stage leaves out. */

const env = { TABLE_NAME: 'no-table', DYNAMODB_ENDPOINT: 'http://127.0.0.1:1', MANAGEMENT_GUARD: 'iam' };

/** Calls a bundle once for each request line. Returns the statuses, and the body of the last reply. */
async function call(name: string, lines: readonly string[], leftOut: string, sent?: { headers: object; body: string }) {
  const events = lines.map((line, index) => {
    const [method = '', path = ''] = line.split(' ');
    const authorizer = { iam: { userArn: 'arn:aws:iam::123456789012:user/operator' } };
    return {
      version: '2.0',
      routeKey: '$default',
      rawPath: path,
      rawQueryString: '',
      headers: { host: 'api.example.com', ...sent?.headers },
      requestContext: {
        requestId: `request-${index}`,
        domainName: 'api.example.com',
        timeEpoch: 0,
        http: { method, path },
        authorizer,
      },
      ...(sent ? { body: sent.body } : {}),
      isBase64Encoded: false,
    };
  });
  const script = `
    const { handler } = ${importOf(await sharedBundle(name))};
    const write = process.stdout.write.bind(process.stdout);
    process.stdout.write = () => true;
    const replies = [];
    for (const event of ${JSON.stringify(events)}) {
      replies.push(await handler(event, { getRemainingTimeInMillis: () => 10_000 }));
    }
    write(JSON.stringify(replies));`;
  const replies = (await lastLineOf(script, { ...env, LEFT_OUT: leftOut })) as {
    statusCode: number;
    body: string;
    isBase64Encoded?: boolean;
  }[];
  const { body = '', isBase64Encoded } = replies.at(-1) ?? {};
  return {
    statuses: replies.map(({ statusCode }) => statusCode),
    body: isBase64Encoded ? gunzipSync(Buffer.from(body, 'base64')).toString() : body,
  };
}

test('the shared function answers 404 for operations of webhooks, and serves all others', async () => {
  const project = '/management/v1/projects/proj_1';
  const lines = [`GET ${project}/webhooks`, `POST ${project}/webhook-secret/rotate`, `PUT ${project}/webhooks/hook_1`];
  expect((await call('management', lines, 'webhooks reports')).statuses).toEqual([404, 404, 404]);
  // Without a table, an operation that exists fails only after its path was found.
  expect((await call('management', [`PATCH ${project}`], 'webhooks')).statuses).toEqual([405]);
});

test('the docs describe exactly the operations of the stage, and know no path of the others', async () => {
  const lines = ['GET /v1/reports', 'POST /v1/vouchers/import', 'POST /v1/vouchers', 'GET /openapi.json'];
  const { statuses, body } = await call('docs', lines, 'reports files');
  // The gateway sends POST /v1/vouchers to its own function, so the docs also answer with a refusal.
  expect(statuses).toEqual([404, 404, 404, 200]);
  const { paths, tags } = JSON.parse(body) as { paths: Record<string, object>; tags: { name: string }[] };
  const described = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  const isLeftOut = (path: string) =>
    /^\/v1\/(reports|exports)|\/(import|importCSV|bulk\/async|metadata\/async)$/.test(path);
  const expected = operations.map(({ route }) => route).filter(({ path }) => !isLeftOut(path));
  expect(described.toSorted()).toEqual(expected.map(({ method, path }) => `${method} ${path}`).toSorted());
  expect(tags.map(({ name }) => name)).not.toContain('reports');
  expect(tags.map(({ name }) => name)).toContain('vouchers');
});

test('agents get no tool of an add-on that is left out', async () => {
  const sent = {
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      authorization: 'Bearer t',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }),
  };
  const toolsOf = async (leftOut: string) => {
    const { body } = await call('mcp', ['POST /mcp'], leftOut, sent);
    return [...body.matchAll(/"name":"([a-z-]+)","title"/g)].map(([, name]) => name);
  };
  const [all, some] = await Promise.all([toolsOf(''), toolsOf('reports')]);
  expect(all.filter((name) => !some.includes(name)).toSorted()).toEqual([
    'get-close',
    'list-closes',
    'list-reports',
    'make-report',
  ]);
  expect(some.length).toBeGreaterThan(20);
});
