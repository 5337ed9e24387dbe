import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { type Bundle, bundleFile, maxGzipBytes } from '../../infra/aws/bundle.ts';
import { operations as all, operationNamed } from '../../infra/operations.ts';
import { drawBarcode } from '../../lib/vouchers/draw-barcode.ts';
import { drawQr } from '../../lib/vouchers/draw-qr.ts';
import { formatOf } from '../support/api-event.ts';
import { bundledFunctions, bundledOperations, importOf, linesOf, sharedBundles } from '../support/bundles.ts';
import { fileTable } from '../support/dependencies.ts';

let workDir: string;
let bundles: Readonly<Record<string, Bundle>>;
let loadedBySdk: readonly string[];

beforeAll(async () => {
  workDir = await mkdtemp(join(tmpdir(), 'tessera-bundle-'));
  bundles = await sharedBundles(bundledFunctions);
  const sdk = await bundleFile(join(import.meta.dirname, '../bench/sdk-only.ts'), join(workDir, 'sdk-only'));
  const script = `${importOf(sdk)}; console.log(JSON.stringify(process.moduleLoadList));`;
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
const queuePackages = ['@aws-sdk/client-sqs', '@aws-sdk/middleware-sdk-sqs'];
const filePackages = [
  '@aws-sdk/checksums',
  '@aws-sdk/client-s3',
  '@aws-sdk/middleware-sdk-s3',
  '@aws-sdk/s3-request-presigner',
  '@aws-sdk/signature-v4-multi-region',
  '@aws-sdk/xml-builder',
];
/** What the client of files shares with that of the table is in one piece, and begins with these. */
const streamModules = /^NativeModule internal\/(?:worker\/io|webstreams\/)|^(?:NativeModule|Internal Binding) zlib$/;
/** They read a form with a file. */
const formPackages = ['busboy', 'streamsearch'];

const ownPackages: Readonly<Record<string, readonly string[]>> = {
  'get-qr-asset': ['dijkstrajs', 'pngjs', 'qrcode'],
  'get-barcode-asset': ['bwip-js'],
  'stream-worker': queuePackages,
  'due-worker': queuePackages,
  'job-worker': [...queuePackages, ...filePackages, '@aws-sdk/client-sesv2'],
  ...Object.fromEntries(
    all
      .filter(({ route }) => route.files)
      .map(({ name, route }) => [name, [...filePackages, ...(formatOf(route) === 'file' ? formPackages : [])]]),
  ),
};

function packagesIn({ sources }: Bundle): string[] {
  return [...new Set(sources.flatMap((path) => /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? []))];
}

async function lastLineOf(script: string, env: Readonly<Record<string, string>> = {}): Promise<unknown> {
  return JSON.parse((await linesOf(script, env)).at(-1) ?? '');
}

/** Of imports: the paths of their handlers' routes, and the modules of Node.js in that process. */
const imported = v.tuple([v.array(v.string()), v.array(v.string())]);

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
const callOf = (headers: Record<string, string>) => `const module = ${importOf(bundleOf('get-voucher'))};
  const context = { getRemainingTimeInMillis: () => 10_000 };
  const reply = await module.handler(${JSON.stringify(eventOf(headers))}, context);
  console.log(JSON.stringify(reply));`;

async function getVoucher(headers: Record<string, string>, env: Readonly<Record<string, string>>) {
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

test('every function is bundled', () => {
  expect(Object.keys(bundles)).toEqual(bundledFunctions);
});

// With and without chunks that are loaded on demand.
test.each(['get-voucher', 'get-qr-asset'])('the sources of %s make the same bytes in another folder', async (name) => {
  const second = await bundleFile(operationNamed(name).file, join(workDir, 'elsewhere', name));
  expect(await hashesOf(second.dir)).toEqual(await hashesOf(bundleOf(name).dir));
});

test.each(bundledFunctions)(`%s has at most ${maxGzipBytes} bytes, gzipped`, (name) => {
  expect(bundleOf(name).gzipBytes).toBeLessThanOrEqual(maxGzipBytes);
});

test.each(bundledFunctions)('%s is ASCII, which V8 reads faster than UTF-16', async (name) => {
  const code = await codeOf(bundleOf(name));
  expect([...new Set(code.match(/[^\p{ASCII}]/gu))]).toEqual([]);
});

test.each(['stream-worker', 'totals-worker', 'job-worker', 'due-worker'])(
  '%s brings no package but those it is known to need',
  (name) => {
    const known = [...commonPackages, ...(ownPackages[name] ?? [])];
    expect(packagesIn(bundleOf(name)).filter((found) => !known.includes(found))).toEqual([]);
  },
);

test('the docs bring no package', () => {
  expect(packagesIn(bundleOf('docs'))).toEqual([]);
});

test('a function without code that is loaded on demand is one file', async () => {
  expect((await readdir(bundleOf('get-voucher').dir)).sort()).toEqual(['index.mjs', 'index.mjs.map']);
});

test('the mail client is loaded with the first mail', async () => {
  const { dir } = bundleOf('job-worker');
  expect(await readFile(join(dir, 'index.mjs'), 'utf8')).not.toContain('FromEmailAddress');
  expect(await codeOf(bundleOf('job-worker'))).toContain('FromEmailAddress');
});

// Each group in one process: what all of them load together is no more than what one may.
test.each([
  ['keep no files', false],
  ['keep files', true],
])(
  'functions that %s are imported by a bare Node.js, export their handlers, and load no more of Node.js than the SDK alone',
  async (_, keepFiles) => {
    const some = bundledOperations.filter(({ route }) => (route.files !== undefined) === keepFiles);
    const imports = some.map(({ name }) => `paths.push((${importOf(bundleOf(name))}).handler.route.path);`);
    const script = `const paths = []; ${imports.join(' ')} console.log(JSON.stringify([paths, process.moduleLoadList]));`;
    const [paths, loaded] = v.parse(imported, await lastLineOf(script));
    expect(paths).toEqual(some.map(({ route }) => route.path));
    // For its names of the statuses, which @middy/util reads.
    const known = [...loadedBySdk, 'NativeModule http'];
    const isKnown = (name: string) => known.includes(name) || (keepFiles && streamModules.test(name));
    expect(loaded.filter((name) => !isKnown(name))).toEqual([]);
  },
);

describe.each(bundledOperations)('$name', ({ name: operation }) => {
  test('brings neither SES nor the credential sources that Lambda does not have', async () => {
    const code = await codeOf(bundleOf(operation));
    expect(code).not.toContain('sso_session');
    expect(code).not.toContain('FromEmailAddress');
  });

  test('brings no package but those it is known to need', () => {
    const known = [...commonPackages, ...endpointPackages, ...(ownPackages[operation] ?? [])];
    expect(packagesIn(bundleOf(operation)).filter((name) => !known.includes(name))).toEqual([]);
  });
});

test('a call for its effect alone stays in a bundle, whatever the function is called', async () => {
  const folder = join(workDir, 'lib', 'effects');
  await mkdir(folder, { recursive: true });
  const names = ['record', 'object', 'nullable', 'listOf'];
  const functions = names.map((name) => `function ${name}(list: string[]) { list.push('${name}'); }`);
  const calls = names.map((name) => `${name}(done);`);
  const source = `${functions.join('\n')}\nexport const done: string[] = [];\n${calls.join('\n')}\n`;
  await writeFile(join(folder, 'effects.ts'), source);
  const bundle = await bundleFile(join(folder, 'effects.ts'), join(workDir, 'effects'));
  expect(await lastLineOf(`const module = ${importOf(bundle)}; console.log(JSON.stringify(module.done));`)).toEqual(
    names,
  );
});

test.each([
  ['draw-barcode', drawBarcode],
  ['draw-qr', drawQr],
])('%s draws the same bundled', async (name, draw) => {
  const file = join(import.meta.dirname, '../../lib/vouchers', `${name}.ts`);
  const bundle = await bundleFile(file, join(workDir, name));
  const pictures = ['SPRING-AAA222', '0123456789', 'a b', 'PARTNER/1#é', '日本語のコード', 'x'.repeat(500)].flatMap(
    (code) => [[code, 'image/svg+xml'] as const, [code, 'image/png'] as const],
  );
  const script = `const [draw] = Object.values(${importOf(bundle)});
    const drawn = await Promise.all(${JSON.stringify(pictures)}.map(([code, type]) => draw(code, type)));
    console.log(JSON.stringify(drawn.map((picture) => picture.toString('base64'))));`;
  const expected = await Promise.all(pictures.map(([code, type]) => draw(code, type)));
  expect(await lastLineOf(script)).toEqual(expected.map((picture) => picture.toString('base64')));
});

describe('the bundled get-voucher', () => {
  const environment = () => ({ TABLE_NAME: fileTable(), DYNAMODB_ENDPOINT: inject('endpoint') });

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
    const { stack } = v.parse(v.pipe(v.string(), v.parseJson(), v.object({ stack: v.string() })), lines.at(-2));
    const [, file = '', line] = /\((lib\/table\/reads\.ts):(\d+):\d+\)/.exec(stack) ?? [];
    const source = await readFile(join(import.meta.dirname, '../..', file), 'utf8');
    expect(source.split('\n')[Number(line) - 1]).toContain('await connection.client.send(');
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
