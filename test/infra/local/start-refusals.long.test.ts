import { once } from 'node:events';
import { chmod, mkdtemp, rm, rmdir } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { holdDataDir } from '../../../infra/local/data-dir.ts';
import { killLaunched, launch } from '../../support/npm-start.ts';
import { namedTable } from '../../support/operator.ts';
import { projectFile, withFile } from '../../support/project.ts';

afterAll(killLaunched);

/** Uses a running engine if possible, which saves a start. */
const running = namedTable();

describe('npm start refuses in clear words, with code 1:', () => {
  async function refusal(env: Record<string, string>, command?: [string, ...string[]]): Promise<string[]> {
    const { code, stderr, stdout } = await launch({ TABLE_NAME: running.TABLE_NAME, ...env }, command).exit;
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).not.toMatch(/^ +at /m);
    return stderr.trimEnd().split('\n');
  }

  test('a busy port', async () => {
    const busy = createServer().listen(0, '127.0.0.1');
    await once(busy, 'listening');
    const address = busy.address();
    const port = typeof address === 'object' ? address?.port : undefined;
    expect(await refusal({ PORT: String(port) })).toEqual([`Port ${port} is in use: name another with PORT.`]);
    busy.close();
  });

  test('an environment with faults, all of them', async () => {
    const faulty = { PORT: 'x', TABLE_NAME: 'a b', DYNAMODB_ENDPOINT: 'nowhere', RATE_LIMIT_PER_MINUTE: '0' };
    const hosts = { HOST: 'home', ALLOWED_HOSTS: 'tessera, http://x', LEFT_OUT: 'webhook' };
    expect(await refusal({ ...faulty, ...hosts })).toEqual([
      'The environment is not valid:',
      expect.stringMatching(/^ {2}PORT must be/),
      expect.stringMatching(/^ {2}HOST must be/),
      expect.stringMatching(/^ {2}ALLOWED_HOSTS must be/),
      expect.stringMatching(/^ {2}DYNAMODB_ENDPOINT must be/),
      expect.stringMatching(/^ {2}TABLE_NAME must have/),
      expect.stringMatching(/^ {2}RATE_LIMIT_PER_MINUTE must be/),
      expect.stringMatching(/^ {2}LEFT_OUT names webhook, which is not an add-on: write webhooks/),
    ]);
  });

  test('a data folder that it may not write, at once, with a remedy', async () => {
    const DATA_DIR = await mkdtemp(join(tmpdir(), 'tessera-'));
    await chmod(DATA_DIR, 0o555);
    const start = [process.execPath, 'infra/local/start.ts'] as const;
    // Root may write everything.
    const nobody = ['setpriv', '--reuid', '65534', '--regid', '65534', '--clear-groups', ...start] as const;
    const lines = await refusal({ DATA_DIR, HOME: tmpdir() }, process.getuid?.() === 0 ? [...nobody] : [...start]);
    expect(lines).toEqual([
      `DATA_DIR ${DATA_DIR}: the folder cannot be written (EACCES).`,
      expect.stringContaining('Name a folder that this user may write'),
      expect.stringContaining('chown'),
      expect.stringContaining('Without DATA_DIR'),
    ]);
    await rmdir(DATA_DIR);
  });

  test('a data folder that another server has locked', async () => {
    const DATA_DIR = await mkdtemp(join(tmpdir(), 'tessera-'));
    const release = await holdDataDir(DATA_DIR);
    expect(await refusal({ DATA_DIR })).toEqual([expect.stringContaining(`${DATA_DIR} is in use by another server`)]);
    release();
    await rm(DATA_DIR, { recursive: true });
  });

  test('an address that this machine does not have', async () => {
    expect(await refusal({ HOST: '192.0.2.1' })).toEqual([
      'This machine has no address 192.0.2.1: name another with HOST.',
    ]);
  });

  test('an unknown engine', async () => {
    expect(await refusal({ DYNAMODB_ENGINE: 'sqlite', DYNAMODB_ENDPOINT: '' })).toEqual([
      'DYNAMODB_ENGINE must be one of dynamodb-local, dynoxide',
    ]);
  });

  test('an endpoint at which nothing answers', async () => {
    expect(await refusal({ DYNAMODB_ENDPOINT: 'http://127.0.0.1:1' })).toEqual([
      expect.stringContaining('no DynamoDB answers at http://127.0.0.1:1'),
    ]);
  });

  test.each([
    ['missing', 'no-such-file.json', 'ENOENT'],
    ['a folder', 'test', 'EISDIR'],
  ])('a project file that is %s', async (_, PROJECT_FILE, code) => {
    expect(await refusal({ ...running, PROJECT_FILE })).toEqual([
      `The project file ${PROJECT_FILE} cannot be read (${code}).`,
    ]);
  });

  test('a project file with faults, each on its line', async () => {
    const faulty = projectFile({ vouchers: [{ code: 'A' }, { code: 7, type: 'DISCOUNT_VOUCHER' }] });
    await withFile(faulty, async (PROJECT_FILE) => {
      expect(await refusal({ PROJECT_FILE })).toEqual([
        `${PROJECT_FILE}: the project file has 2 faults; nothing was written`,
        expect.stringMatching(/^ {2}vouchers\[0\]/),
        expect.stringMatching(/^ {2}vouchers\[1\]/),
      ]);
    });
  });

  test('a project file that is not JSON', async () => {
    await withFile('{"project": ', async (PROJECT_FILE) => {
      expect((await refusal({ ...running, PROJECT_FILE }))[0]).toBe(
        `${PROJECT_FILE}: the project file has a fault; nothing was written`,
      );
    });
  });
});
