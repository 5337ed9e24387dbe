import { execFile } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { describe, expect, inject, test } from 'vitest';
import { handler } from '../../../functions/get-voucher.ts';
import { caller } from '../../support/call.ts';
import { ownTable, testDependencies } from '../../support/dependencies.ts';
import { credentialsOf, projectFile, withFile } from '../../support/project.ts';

const program = join(import.meta.dirname, '../../../infra/operator/load.ts');

interface Run {
  code: number;
  stdout: string;
  stderr: string;
}

const table = { DYNAMODB_ENDPOINT: inject('endpoint'), TABLE_NAME: inject('tableName') };

/** Runs the command as an operator does, in a process of its own. */
function load(
  args: string[],
  { env = table, heapInMb = 256 }: { env?: Record<string, string>; heapInMb?: number } = {},
) {
  const { PATH = '' } = process.env;
  return new Promise<Run>((done) => {
    // Left to itself, the young generation grows beyond so small a heap, and V8 then does little but collect garbage.
    const nodeArgs = [`--max-old-space-size=${heapInMb}`, '--max-semi-space-size=8', program, ...args];
    execFile(process.execPath, nodeArgs, { env: { PATH, ...env } }, (error, stdout, stderr) =>
      done({ code: typeof error?.code === 'number' ? error.code : error ? -1 : 0, stdout, stderr }),
    );
  });
}

/** How many vouchers and how many customers the long lists have: 100,000 each in the long mode. */
const longList = process.env.LONG_TESTS ? 100_000 : 5_000;

/** A voucher of each customer, before the customers: nothing that it refers to has been seen yet. */
function* longFile(file: object): Generator<string> {
  yield `${JSON.stringify(file).slice(0, -1)}, "vouchers": [`;
  for (let index = 0; index < longList; index++) {
    const metadata = { note: 'n'.repeat(200), index };
    const voucher = { code: `LONG-${index}`, type: 'DISCOUNT_VOUCHER', holder_id: `cust_long_${index}`, metadata };
    yield (index > 0 ? ',' : '') + JSON.stringify(voucher);
  }
  yield '], "customers": [';
  for (let index = 0; index < longList; index++) {
    const customer = { id: `cust_long_${index}`, source_id: `crm-long-${index}`, name: `Customer ${index}` };
    yield (index > 0 ? ',' : '') + JSON.stringify(customer);
  }
  yield ']}';
}

test(`${longList} vouchers and their holders load in 96 MB of heap, with a line of progress now and then`, {
  timeout: 900_000,
}, async () => {
  const file = projectFile();
  const tableName = await ownTable();
  const folder = await mkdtemp(join(tmpdir(), 'tessera-'));
  const path = join(folder, 'long.json');
  try {
    await pipeline(longFile(file), createWriteStream(path));
    const { code, stdout, stderr } = await load([path], { env: { ...table, TABLE_NAME: tableName }, heapInMb: 96 });
    const entries = longList.toLocaleString('en');
    expect([code, stdout]).toEqual([0, expect.stringContaining(`${entries} vouchers, ${entries} customers`)]);
    expect(stderr.split('\n').filter((line) => /^[\d,]+ of [\d,]+ entries$/.test(line)).length).toBeGreaterThan(1);
  } finally {
    await rm(folder, { recursive: true });
  }
  const get = caller(handler, testDependencies({ tableName }));
  for (const index of [0, 1, longList >> 1, longList - 1]) {
    const { body } = await get({ params: { code: `LONG-${index}` }, headers: credentialsOf(file) });
    expect(body).toMatchObject({ metadata: { index }, holder_id: `cust_long_${index}` });
  }
});

describe('the load command', () => {
  test('says what it has loaded', async () => {
    const file = projectFile({ vouchers: [{ code: 'A', type: 'DISCOUNT_VOUCHER' }] });
    const { code, stdout, stderr } = await withFile(file, (path) => load([path]));
    expect({ code, stdout, stderr }).toEqual({
      code: 0,
      stdout: `Test (${file.project.id}) is in ${table.TABLE_NAME}: 1 app_keys, 1 vouchers\n`,
      stderr: '',
    });
  });

  test('lists every fault of a file, a line each, and ends with 1', async () => {
    const file = projectFile({ vouchers: [{ code: 'A' }, { type: 'DISCOUNT_VOUCHER' }] });
    const { code, stderr } = await withFile(file, (path) => load([path]));
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /^\S+project\.json: the project file has 2 faults; nothing was written\n {2}vouchers\[0\]\.type is required\n {2}vouchers\[1\]\.code is required\n$/,
    );
  });

  test.each([
    ['a file that is not there', 'nowhere.json', {}, /^The project file nowhere\.json cannot be read \(ENOENT\)\.$/],
    ['a folder', 'test', {}, /^The project file test cannot be read \(EISDIR\)\.$/],
    ['a file of a file', 'package.json/x', {}, /^The project file package\.json\/x cannot be read \(ENOTDIR\)\.$/],
    [
      'an endpoint without an answer',
      'package.json',
      { DYNAMODB_ENDPOINT: 'http://127.0.0.1:1' },
      /^no DynamoDB answers at DYNAMODB_ENDPOINT, http:\/\/127\.0\.0\.1:1 \(.+\)$/,
    ],
    ['an endpoint that is none', 'x', { DYNAMODB_ENDPOINT: 'foo' }, /DYNAMODB_ENDPOINT must be an http or https URL$/],
    ['an endpoint with no port', 'x', { DYNAMODB_ENDPOINT: 'http://a:99999' }, /DYNAMODB_ENDPOINT must be an http/],
    ['a table name that is none', 'x', { TABLE_NAME: 'x' }, /TABLE_NAME must have 3 to 255 letters/],
    ['no table', 'x', { TABLE_NAME: '', DYNAMODB_ENDPOINT: '' }, /^TABLE_NAME or DYNAMODB_ENDPOINT must say/],
    ['no region', 'x', { DYNAMODB_ENDPOINT: '', HOME: '/nowhere' }, /^AWS_REGION must name the region of the table/],
  ])('tells in a clear line of %s, and ends with 1', async (_, path, env, line) => {
    const { code, stdout, stderr } = await load([path], { env: { ...table, ...env } });
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).not.toMatch(/^ +at /m);
    expect(stderr.trimEnd().split('\n\n')[0]?.split('\n').slice(-1)).toEqual([expect.stringMatching(line)]);
  });

  test('explains itself', async () => {
    expect(await load(['--help'])).toMatchObject({ code: 0, stdout: expect.stringContaining('npm run load -- FILE') });
    expect(await load([])).toMatchObject({ code: 1, stderr: expect.stringContaining('npm run load -- FILE') });
  });
});
