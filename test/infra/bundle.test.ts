import { type ExecFileOptions, execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import {
  type Bundle,
  bundleDocs,
  bundleDueWorker,
  bundleFile,
  bundleFunctions,
  bundleStreamWorker,
  maxGzipBytes,
} from '../../infra/bundle.ts';
import { families, routes } from '../../lib/routes/index.ts';
import { drawBarcode } from '../../lib/vouchers/draw-barcode.ts';
import { drawQr } from '../../lib/vouchers/draw-qr.ts';

const operations = Object.keys(routes);
const workers = ['stream-worker', 'due-worker', 'docs'];
const run = promisify(execFile);

let workDir: string;
let bundles: Readonly<Record<string, Bundle>>;
let loadedBySdk: readonly string[];

beforeAll(async () => {
  workDir = await mkdtemp(join(tmpdir(), 'tessera-bundle-'));
  const dir = join(workDir, 'first');
  bundles = {
    ...(await bundleFunctions(dir)),
    'stream-worker': await bundleStreamWorker(dir),
    'due-worker': await bundleDueWorker(dir),
    docs: await bundleDocs(dir),
  };
  const sdk = await bundleFile(join(import.meta.dirname, '../bench/sdk-only.ts'), join(workDir, 'sdk-only'));
  const script = `${importFrom(sdk)} console.log(JSON.stringify(process.moduleLoadList));`;
  loadedBySdk = v.parse(v.array(v.string()), await lastLineOf(script));
});

afterAll(() => rm(workDir, { recursive: true, force: true }));

function bundleOf(operation: string): Bundle {
  const bundle = bundles[operation];
  if (!bundle) throw new Error(`${operation} was not bundled`);
  return bundle;
}

/** Of all files of a bundle, chunks included. */
async function codeOf({ dir }: Bundle): Promise<string> {
  const names = (await readdir(dir)).filter((name) => name.endsWith('.mjs'));
  return (await Promise.all(names.map((name) => readFile(join(dir, name), 'utf8')))).join('\n');
}

/** Packages that are in every function with a table, and what else there is, by the functions that may have it. */
const commonPackages = [
  '@aws-sdk/client-dynamodb',
  '@aws-sdk/core',
  '@aws-sdk/credential-provider-env',
  '@aws-sdk/dynamodb-codec',
  '@aws-sdk/endpoint-cache',
  '@aws-sdk/lib-dynamodb',
  '@aws-sdk/middleware-endpoint-discovery',
  '@aws-sdk/util-dynamodb',
  '@aws/lambda-invoke-store',
  '@smithy/core',
  '@smithy/node-http-handler',
  '@smithy/signature-v4',
  '@smithy/types',
  'mnemonist',
  'obliterator',
  'valibot',
];
const endpointPackages = [
  '@middy/core',
  '@middy/http-json-body-parser',
  '@middy/http-urlencode-body-parser',
  '@middy/util',
];
const ownPackages: Readonly<Record<string, readonly string[]>> = {
  'get-qr-asset': ['dijkstrajs', 'pngjs', 'qrcode'],
  'get-barcode-asset': ['bwip-js'],
  'stream-worker': ['@aws-sdk/client-sesv2', '@aws-sdk/signature-v4-multi-region'],
};

function packagesIn({ sources }: Bundle): string[] {
  return [...new Set(sources.flatMap((path) => /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? []))];
}

/** Runs the script in a Node.js process that has the given environment and nothing else; returns its last line. */
async function lastLineOf(script: string, env: ExecFileOptions['env'] = {}): Promise<unknown> {
  return (await linesOf(script, env)).at(-1);
}

/** All that it writes, a JSON value a line. */
async function linesOf(script: string, env: ExecFileOptions['env']): Promise<unknown[]> {
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', script], { env });
  return stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
}

const importOf = (operation: string) => importFrom(bundleOf(operation));

const importFrom = ({ dir }: Bundle) =>
  `const module = await import(${JSON.stringify(pathToFileURL(join(dir, 'index.mjs')))});`;

/** Of an import: the operation whose handler it is, and the modules of Node.js in that process. */
const imported = v.tuple([v.string(), v.array(v.string())]);

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
const callOf = (headers: Record<string, string>) => `${importOf('get-voucher')}
  const context = { getRemainingTimeInMillis: () => 10_000 };
  const reply = await module.handler(${JSON.stringify(eventOf(headers))}, context);
  console.log(JSON.stringify(reply));`;

async function getVoucher(headers: Record<string, string>, env: ExecFileOptions['env']) {
  return v.parse(replySchema, await lastLineOf(callOf(headers), env));
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

test('every operation is bundled', () => {
  expect(Object.keys(bundles)).toEqual([...operations, ...workers]);
});

test('the same sources make the same bytes in another folder', async () => {
  const second = await bundleFunctions(join(workDir, 'elsewhere', 'second'));
  for (const operation of operations) {
    expect(await hashesOf(second[operation]?.dir ?? '')).toEqual(await hashesOf(bundleOf(operation).dir));
  }
});

test.each([...operations, ...workers])(`%s has at most ${maxGzipBytes} bytes, gzipped`, (name) => {
  expect(bundleOf(name).gzipBytes).toBeLessThanOrEqual(maxGzipBytes);
});

test.each([...operations, ...workers])('%s is ASCII, which V8 reads faster than UTF-16', async (name) => {
  const code = await codeOf(bundleOf(name));
  expect([...new Set(code.match(/[^\p{ASCII}]/gu))]).toEqual([]);
});

test.each(['stream-worker', 'due-worker'])('%s brings no package but those it is known to need', (name) => {
  const known = [...commonPackages, ...(ownPackages[name] ?? [])];
  expect(packagesIn(bundleOf(name)).filter((found) => !known.includes(found))).toEqual([]);
});

test('the docs bring no package', () => {
  expect(packagesIn(bundleOf('docs'))).toEqual([]);
});

test('the mail client is loaded with the first mail', async () => {
  const { dir } = bundleOf('stream-worker');
  expect(await readFile(join(dir, 'index.mjs'), 'utf8')).not.toContain('FromEmailAddress');
  expect(await codeOf(bundleOf('stream-worker'))).toContain('FromEmailAddress');
});

describe.each(operations)('%s', (operation) => {
  test('is imported by a bare Node.js, exports its handler, and loads no more of Node.js than the SDK alone', async () => {
    const script = `${importOf(operation)}
      console.log(JSON.stringify([module.handler.operation, process.moduleLoadList]));`;
    const [exported, loaded] = v.parse(imported, await lastLineOf(script));
    expect(exported).toBe(operation);
    // For its names of the statuses, which @middy/util reads.
    const known = [...loadedBySdk, 'NativeModule http'];
    expect(loaded.filter((name) => !known.includes(name))).toEqual([]);
  });

  test('brings neither fonts, nor SES, nor the credential sources that Lambda does not have', async () => {
    const code = await codeOf(bundleOf(operation));
    expect(code).not.toContain('loadFont("OCR');
    expect(code).not.toContain('sso_session');
    expect(code).not.toContain('FromEmailAddress');
  });

  test('brings no package but those it is known to need', () => {
    const known = [...commonPackages, ...endpointPackages, ...(ownPackages[operation] ?? [])];
    expect(packagesIn(bundleOf(operation)).filter((name) => !known.includes(name))).toEqual([]);
  });

  test('brings its own route and no other, and no other family', async () => {
    const code = await codeOf(bundleOf(operation));
    const summaries = Object.entries(routes).map(([name, { summary }]) => [name, JSON.stringify(summary)] as const);
    expect(summaries.filter(([, summary]) => code.includes(summary)).map(([name]) => name)).toEqual([operation]);
    const [family] = Object.entries(families).find(([, family]) => Object.hasOwn(family, operation)) ?? [];
    const files = bundleOf(operation).sources.filter((path) => path.startsWith('lib/routes/'));
    const known = [family, 'route', ...(operation === 'unknown-path' ? ['match', 'request-lines'] : [])];
    expect(files.filter((path) => !known.includes(basename(path, '.ts')))).toEqual([]);
  });
});

test.each([
  ['draw-barcode', drawBarcode],
  ['draw-qr', drawQr],
])('%s draws the same bundled, where what it does not use is left out', async (name, draw) => {
  const file = join(import.meta.dirname, '../../lib/vouchers', `${name}.ts`);
  const { dir } = await bundleFile(file, join(workDir, name));
  const pictures = ['SPRING-AAA222', '0123456789', 'a b', 'PARTNER/1#é', '日本語のコード', 'x'.repeat(500)].flatMap(
    (code) => [[code, 'image/svg+xml'] as const, [code, 'image/png'] as const],
  );
  const script = `const [draw] = Object.values(await import(${JSON.stringify(pathToFileURL(join(dir, 'index.mjs')))}));
    const drawn = await Promise.all(${JSON.stringify(pictures)}.map(([code, type]) => draw(code, type)));
    console.log(JSON.stringify(drawn.map((picture) => picture.toString('base64'))));`;
  const expected = await Promise.all(pictures.map(([code, type]) => draw(code, type)));
  expect(await lastLineOf(script)).toEqual(expected.map((picture) => picture.toString('base64')));
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

  test('logs an unexpected failure with places of our own sources', async () => {
    const headers = { 'x-app-id': 'unknown', 'x-app-token': 'unknown' };
    const lines = await linesOf(callOf(headers), { ...environment(), TABLE_NAME: 'no-such-table' });
    const { stack } = v.parse(v.object({ stack: v.string() }), lines.at(-2));
    const [, line] = /\(lib\/dynamodb\.ts:(\d+):\d+\)/.exec(stack) ?? [];
    const source = await readFile(join(import.meta.dirname, '../../lib/dynamodb.ts'), 'utf8');
    expect(source.split('\n')[Number(line) - 1]).toContain('await this.#client.send(');
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
