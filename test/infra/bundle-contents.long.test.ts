import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { functionNameOf } from '../../infra/aws/shared-families.ts';
import { operations } from '../../infra/operations.ts';
import { formatOf } from '../support/api-event.ts';
import {
  bundledFunctions,
  bundledOperations,
  sharedBundle,
  sharedBundles,
  sharingOperations,
} from '../support/bundles.ts';

beforeAll(() => sharedBundles(bundledFunctions));

/** Reads all files of a bundle, chunks included. */
async function codeOf(name: string): Promise<string> {
  const { dir } = await sharedBundle(name);
  const files = (await readdir(dir)).filter((file) => file.endsWith('.mjs'));
  return (await Promise.all(files.map((file) => readFile(join(dir, file), 'utf8')))).join('\n');
}

/** Lists packages that every function with a table may have, and further packages by function. */
const commonPackages = [
  '@aws-sdk/client-dynamodb',
  '@aws-sdk/core',
  '@aws-sdk/credential-provider-env',
  '@aws-sdk/dynamodb-codec',
  '@aws-sdk/lib-dynamodb',
  '@aws-sdk/middleware-endpoint-discovery',
  '@aws-sdk/util-dynamodb',
  '@aws/lambda-invoke-store',
  '@smithy/core',
  '@smithy/node-http-handler',
  '@smithy/signature-v4',
  '@smithy/types',
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
/** Lists what functions load on demand that test points against locations. */
const placePackages = [
  '@turf/boolean-point-in-polygon',
  '@turf/distance',
  '@turf/helpers',
  '@turf/invariant',
  'point-in-polygon-hao',
  'robust-predicates',
];
/** Lists the operations that read a form with a file. */
const formPackages = ['busboy', 'streamsearch'];

/** Lists what queries Athena, and what writes Parquet. */
const reportPackages = ['@aws-sdk/client-athena', 'hyparquet', 'hyparquet-writer'];

const ownPackages: Readonly<Record<string, readonly string[]>> = {
  'get-qr-asset': ['dijkstrajs', 'pngjs', 'qrcode'],
  'get-barcode-asset': ['bwip-js'],
  'stream-worker': queuePackages,
  'due-worker': queuePackages,
  'totals-and-facts-worker': [...filePackages, '@aws-sdk/client-firehose'],
  'fact-packer': [...filePackages, 'hyparquet', 'hyparquet-writer'],
  'make-report': reportPackages,
  'job-worker': [
    ...queuePackages,
    ...filePackages,
    ...reportPackages,
    '@aws-sdk/client-sesv2',
    '@aws-sdk/client-eventbridge',
  ],
  management: filePackages,
  ...Object.fromEntries(
    operations
      .filter(({ route }) => route.files)
      .map(({ name, route }) => [name, [...filePackages, ...(formatOf(route) === 'file' ? formPackages : [])]]),
  ),
};

async function packagesIn(name: string): Promise<string[]> {
  const { sources } = await sharedBundle(name);
  return [...new Set(sources.flatMap((path) => /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? []))];
}

async function knownIn(name: string): Promise<string[]> {
  const { sources } = await sharedBundle(name);
  const readsAreas = sources.some((path) => path.endsWith('lib/engine/catalogue/locations/location.ts'));
  return [...commonPackages, ...(ownPackages[name] ?? []), ...(readsAreas ? placePackages : [])];
}

test.each(bundledFunctions)('%s is ASCII, which V8 reads faster than UTF-16', async (name) => {
  const code = await codeOf(name);
  expect([...new Set(code.match(/[^\p{ASCII}]/gu))]).toEqual([]);
});

const workers = [
  'stream-worker',
  'totals-worker',
  'totals-and-facts-worker',
  'fact-packer',
  'job-worker',
  'due-worker',
];

test.each(workers)('%s brings only the packages of its list', async (name) => {
  const known = await knownIn(name);
  expect((await packagesIn(name)).filter((found) => !known.includes(found))).toEqual([]);
});

test.each(['docs', 'console', 'preflights'])('the function of the %s brings no package', async (name) => {
  expect(await packagesIn(name)).toEqual([]);
});

test('a function without code on demand is one file', async () => {
  expect((await readdir((await sharedBundle('get-voucher')).dir)).sort()).toEqual(['index.mjs', 'index.mjs.map']);
});

test('the mail client is loaded with the first mail', async () => {
  const { dir } = await sharedBundle('job-worker');
  expect(await readFile(join(dir, 'index.mjs'), 'utf8')).not.toContain('FromEmailAddress');
  expect(await codeOf('job-worker')).toContain('FromEmailAddress');
});

/** Lists the functions, including those that a family shares. */
const serving = bundledFunctions.filter((name) =>
  [...bundledOperations, ...sharingOperations].some((one) => functionNameOf(one) === name),
);

describe.each(serving)('%s', (operation) => {
  test('brings neither SES nor credential sources that Lambda lacks', async () => {
    const code = await codeOf(operation);
    expect(code).not.toContain('sso_session');
    expect(code).not.toContain('FromEmailAddress');
  });

  test('brings only the packages of its list', async () => {
    const known = [...(await knownIn(operation)), ...endpointPackages];
    expect((await packagesIn(operation)).filter((name) => !known.includes(name))).toEqual([]);
  });
});
