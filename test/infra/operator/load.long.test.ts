import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { handler } from '../../../functions/vouchers/get-voucher.ts';
import { caller } from '../../support/call.ts';
import { ownTable, testDependencies } from '../../support/dependencies.ts';
import { longList, withLongFile } from '../../support/long-file.ts';
import { namedTable, operate } from '../../support/operator.ts';
import { itemsOf } from '../../support/outbox.ts';
import { credentialsOf, loadFile, projectFile, withFile } from '../../support/project.ts';
import { isLong, sampled } from '../../support/sampled.ts';

const table = namedTable();

const load = (args: string[], options?: Parameters<typeof operate>[2]) => operate('load', args, options);

test(`${longList} vouchers and their holders are loaded and exported again in 96 MB of heap, with lines of progress`, {
  timeout: 900_000,
}, async () => {
  const file = projectFile();
  const tableName = await ownTable();
  await withLongFile(file, async (path) => {
    const small = { env: { ...table, TABLE_NAME: tableName }, heapInMb: 96 };
    const { code, stdout, stderr } = await load([path], small);
    const entries = longList.toLocaleString('en');
    expect([code, stdout]).toEqual([0, expect.stringContaining(`${entries} vouchers, ${entries} customers`)]);
    expect(stderr.split('\n').filter((line) => /^[\d,]+ of [\d,]+ entries$/.test(line)).length).toBeGreaterThan(
      isLong ? 1 : 0,
    );

    const out = `${path}.exported`;
    const exported = await operate('export', [file.project.id, out], small);
    expect([exported.code, exported.stdout]).toEqual([
      0,
      expect.stringContaining(`${entries} customers, ${entries} vouchers`),
    ]);
    expect(exported.stderr.split('\n').filter((line) => /^[\d,]+ entries$/.test(line)).length).toBeGreaterThan(0);
    const { vouchers } = JSON.parse(await readFile(out, 'utf8'));
    expect(new Set(vouchers.map(({ code }: { code: string }) => code)).size).toBe(longList);
  });
  const get = caller(handler, testDependencies({ tableName }));
  for (const index of [0, 1, longList >> 1, longList - 1]) {
    const { body } = await get({ params: { code: `LONG-${index}` }, headers: credentialsOf(file) });
    expect(body).toMatchObject({ metadata: { index }, holder_id: `cust_long_${index}` });
  }
});

describe('the load command', () => {
  test('reports what it has loaded', async () => {
    const file = projectFile({ vouchers: [{ code: 'A', type: 'DISCOUNT_VOUCHER' }] });
    const { code, stdout, stderr } = await withFile(file, (path) => load([path]));
    expect({ code, stdout, stderr }).toEqual({
      code: 0,
      stdout: `Test (${file.project.id}) is in ${table.TABLE_NAME}: 1 app_keys, 1 vouchers\n`,
      stderr: '',
    });
  });

  test('reports on a dry run what it would load, and writes nothing', async () => {
    const file = projectFile({ vouchers: [{ code: 'A', type: 'DISCOUNT_VOUCHER' }] });
    expect(await withFile(file, (path) => load(['--dry-run', path]))).toEqual({
      code: 0,
      stdout: `Test (${file.project.id}) can be loaded into ${table.TABLE_NAME}: 1 app_keys, 1 vouchers. Nothing was written.\n`,
      stderr: '',
    });
    const { status } = await caller(handler)({ params: { code: 'A' }, headers: credentialsOf(file) });
    expect(status).toBe(401);
    expect(await itemsOf(file.project.id, 'PROJECT')).toEqual([]);
  });

  test('reports on a dry run the conflicts of file and table', async () => {
    const file = projectFile({ vouchers: [{ code: 'A', type: 'DISCOUNT_VOUCHER' }] });
    await loadFile(file);
    const changed = { ...file, vouchers: [{ code: 'A', type: 'LOYALTY_CARD', loyalty_card: { points: 1 } }] };
    const { code, stderr } = await withFile(changed, (path) => load(['--dry-run', path]));
    expect(code).toBe(1);
    expect(stderr).toContain("vouchers[0].type differs from the stored value, which can't be changed");
  });

  test('refuses webhooks that the deployment would refuse in a request, and writes nothing', async () => {
    const targets = ['sqs:orders', 'sqs:others', 'https://127.0.0.1/hooks', 'http://127.0.0.1/hooks', 'log:listen'];
    const webhooks = targets.map((target_url, index) => ({
      ...{ id: `wh_${index}`, target_url, events: ['customer.created'] },
      active: index > 0,
    }));
    const file = projectFile({ webhooks });
    const allowed = ['--event-targets', 'sqs:orders eventbridge:shop'];
    const { code, stderr } = await withFile(file, (path) => load([...allowed, path]));
    expect([code, stderr.split('\n').filter((line) => line.includes('webhooks['))]).toEqual([
      1,
      [
        expect.stringContaining(
          'webhooks[1].target_url must be among the event-targets of this deployment (sqs:orders, eventbridge:shop)',
        ),
        expect.stringContaining('webhooks[2].target_url has the address 127.0.0.1, which is not public'),
        expect.stringContaining('webhooks[3].target_url must be an https address'),
      ],
    ]);
    expect(await itemsOf(file.project.id, 'PROJECT')).toEqual([]);
    const taken = projectFile({ webhooks: [webhooks[0]] });
    expect((await withFile(taken, (path) => load([...allowed, path]))).code).toBe(0);
    // A local engine without a list allows every target, like the local server.
    expect((await withFile(file, (path) => load([path]))).code).toBe(0);
  });

  test('creates no table on a dry run', async () => {
    const env = { ...table, TABLE_NAME: 'no-such-table' };
    for (let run = 0; run < 2; run++) {
      const { code, stderr } = await withFile(projectFile(), (path) => load(['--dry-run', path], { env }));
      expect([code, stderr]).toEqual([1, 'TABLE_NAME: the table no-such-table does not exist\n']);
    }
  });

  test('lists every fault of a file, one in each line, and ends with 1', async () => {
    const file = projectFile({ vouchers: [{ code: 'A' }, { type: 'DISCOUNT_VOUCHER' }] });
    const { code, stderr } = await withFile(file, (path) => load([path]));
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /^\S+project\.json: the project file has 2 faults; nothing was written\n {2}vouchers\[0\]\.type is required\n {2}vouchers\[1\]\.code is required\n$/,
    );
  });

  test.each(
    sampled(
      [
        ['a missing file', 'nowhere.json', {}, /^The project file nowhere\.json cannot be read \(ENOENT\)\.$/],
        ['a folder', 'test', {}, /^The project file test cannot be read \(EISDIR\)\.$/],
        [
          'a file inside a file',
          'package.json/x',
          {},
          /^The project file package\.json\/x cannot be read \(ENOTDIR\)\.$/,
        ],
        [
          'an endpoint without an answer',
          'package.json',
          { DYNAMODB_ENDPOINT: 'http://127.0.0.1:1' },
          /^no DynamoDB answers at DYNAMODB_ENDPOINT, http:\/\/127\.0\.0\.1:1 \(.+\)$/,
        ],
        [
          'an endpoint that is no address',
          'x',
          { DYNAMODB_ENDPOINT: 'foo' },
          /DYNAMODB_ENDPOINT must be an http or https URL$/,
        ],
        ['an endpoint with no port', 'x', { DYNAMODB_ENDPOINT: 'http://a:99999' }, /DYNAMODB_ENDPOINT must be an http/],
        ['an invalid table name', 'x', { TABLE_NAME: 'x' }, /TABLE_NAME must have 3 to 255 letters/],
        ['no table', 'x', { TABLE_NAME: '', DYNAMODB_ENDPOINT: '' }, /^TABLE_NAME or DYNAMODB_ENDPOINT must name/],
        [
          'no region',
          'x',
          { DYNAMODB_ENDPOINT: '', HOME: '/nowhere' },
          /^AWS_REGION must name the region of the table/,
        ],
      ],
      4,
    ),
  )('reports %s in a clear line, and ends with 1', async (_, path, env, line) => {
    const { code, stdout, stderr } = await load([path], { env: { ...table, ...env } });
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).not.toMatch(/^ +at /m);
    expect(stderr.trimEnd().split('\n\n')[0]?.split('\n').slice(-1)).toEqual([expect.stringMatching(line)]);
  });

  test('explains itself', async () => {
    expect(await load(['--help'])).toMatchObject({ code: 0, stdout: expect.stringContaining('npm run load -- FILE') });
    for (const args of [[], ['a', 'b'], ['--force', 'a']]) {
      expect(await load(args)).toMatchObject({ code: 2, stderr: expect.stringContaining('npm run load -- FILE') });
    }
  });
});
