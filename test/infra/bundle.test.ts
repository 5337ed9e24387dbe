import { type ExecFileOptions, execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { type Bundle, bundleFunctions, maxGzipBytes } from '../../infra/bundle.ts';
import { routes } from '../../lib/routes/index.ts';

const operations = Object.keys(routes);
const run = promisify(execFile);

let workDir: string;
let bundles: Readonly<Record<string, Bundle>>;

beforeAll(async () => {
  workDir = await mkdtemp(join(tmpdir(), 'tessera-bundle-'));
  bundles = await bundleFunctions(join(workDir, 'first'));
});

afterAll(() => rm(workDir, { recursive: true, force: true }));

function bundleOf(operation: string): Bundle {
  const bundle = bundles[operation];
  if (!bundle) throw new Error(`${operation} was not bundled`);
  return bundle;
}

/** Runs the script in a Node.js process that has the given environment and nothing else; returns its last line. */
async function lastLineOf(script: string, env: ExecFileOptions['env'] = {}): Promise<unknown> {
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', script], { env });
  return JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '');
}

const importOf = (operation: string) =>
  `const module = await import(${JSON.stringify(pathToFileURL(join(bundleOf(operation).dir, 'index.mjs')))});`;

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
async function getVoucher(headers: Record<string, string>, env: ExecFileOptions['env']) {
  const script = `${importOf('get-voucher')}
    const context = { getRemainingTimeInMillis: () => 10_000 };
    const reply = await module.handler(${JSON.stringify(eventOf(headers))}, context);
    console.log(JSON.stringify(reply));`;
  return v.parse(replySchema, await lastLineOf(script, env));
}

/** SHA-256 of every file, by name. */
async function hashesOf(dir: string): Promise<Record<string, string>> {
  const names = (await readdir(dir)).sort();
  const hashes = names.map(async (name) => [
    name,
    createHash('sha256')
      .update(await readFile(join(dir, name)))
      .digest('hex'),
  ]);
  return Object.fromEntries(await Promise.all(hashes));
}

test('no start loads the HTTP client of fetch', async () => {
  const script = `${importOf('get-voucher')}
    console.log(JSON.stringify(process.moduleLoadList.filter((name) => name.includes('undici'))));`;
  expect(await lastLineOf(script)).toEqual([]);
});

test('every operation is bundled', () => {
  expect(Object.keys(bundles)).toEqual(operations);
});

test('the same sources make the same bytes in another folder', async () => {
  const second = await bundleFunctions(join(workDir, 'elsewhere', 'second'));
  for (const operation of operations) {
    expect(await hashesOf(second[operation]?.dir ?? '')).toEqual(await hashesOf(bundleOf(operation).dir));
  }
});

describe.each(operations)('%s', (operation) => {
  test(`has at most ${maxGzipBytes} bytes, gzipped`, () => {
    expect(bundleOf(operation).gzipBytes).toBeLessThanOrEqual(maxGzipBytes);
  });

  test('is imported by a bare Node.js and exports its handler', async () => {
    const script = `${importOf(operation)}
      console.log(JSON.stringify([typeof module.handler, module.handler.operation]));`;
    expect(await lastLineOf(script)).toEqual(['function', operation]);
  });

  test('brings neither fonts, nor SES, nor the credential sources that Lambda does not have', async () => {
    const { dir } = bundleOf(operation);
    const names = (await readdir(dir)).filter((name) => name.endsWith('.mjs'));
    const code = (await Promise.all(names.map((name) => readFile(join(dir, name), 'utf8')))).join('\n');
    expect(code).not.toContain('loadFont("OCR');
    expect(code).not.toContain('sso_session');
    expect(code).not.toContain('FromEmailAddress');
  });
});

describe('the bundled get-voucher', () => {
  const environment = () => ({ TABLE_NAME: inject('tableName'), DYNAMODB_ENDPOINT: inject('endpoint') });

  const unauthorized = {
    statusCode: 401,
    headers: { 'X-Request-Id': 'request-1' },
    body: { code: 401, key: 'unauthorized', request_id: 'request-1' },
  };

  test('answers missing credentials with 401 in the one error body', async () => {
    expect(await getVoucher({}, environment())).toMatchObject(unauthorized);
  });

  test('answers an app id that is not in the table with the same 401', async () => {
    const headers = { 'x-app-id': 'unknown', 'x-app-token': 'unknown' };
    expect(await getVoucher(headers, environment())).toMatchObject(unauthorized);
  });

  test('names places of our own sources in a stack', async () => {
    const script = `${importOf('get-voucher')}
      const error = await module.handler(${JSON.stringify(eventOf({}))}, {}).catch((error) => error);
      console.log(JSON.stringify(error.stack));`;
    const stack = await lastLineOf(script, { NODE_OPTIONS: '--enable-source-maps' });
    expect(stack).toMatch(/lib\/[\w/-]+\.ts:\d+:\d+/);
  });

  test('signs with the credentials and the region that Lambda puts into the environment', async () => {
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
