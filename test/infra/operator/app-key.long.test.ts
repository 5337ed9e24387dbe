import { beforeAll, describe, expect, test } from 'vitest';
import { createAppKey } from '#kernel/access/projects/manage-app-keys.ts';
import { Table } from '#kernel/table/table.ts';
import { handler } from '../../../functions/vouchers/get-voucher.ts';
import { caller } from '../../support/call.ts';
import { coldDependencies, testDependencies, testTime, uniqueId } from '../../support/dependencies.ts';
import { operate } from '../../support/operator.ts';
import { credentialsOf, loadFile, loadProject, projectFile, type TestProject } from '../../support/project.ts';
import { sampled } from '../../support/sampled.ts';

const vouchers = [{ code: 'ONE', type: 'DISCOUNT_VOUCHER' }];
const appKey = (...args: string[]) => operate('app-key', args);

let project: TestProject;
beforeAll(async () => {
  project = await loadProject({ vouchers });
});

async function statusWith(headers: Record<string, string>): Promise<number> {
  return (await caller(handler, coldDependencies())({ params: { code: 'ONE' }, headers })).status;
}

const told = (label: string, stdout: string) => new RegExp(`^${label} +(\\S+)$`, 'm').exec(stdout)?.[1] ?? '';

describe('app-key create', () => {
  test('prints id and token of a key that works, and stores the token nowhere in clear', async () => {
    const { code, stdout, stderr } = await appKey('create', project.id, '--name', 'Till 2');
    expect([code, stderr]).toEqual([0, '']);
    const [id, token] = [told('app id', stdout), told('token', stdout)];
    expect(id).toMatch(/^app_[\w-]{16}$/);
    expect(token).toMatch(/^[\w-]{43}$/);
    expect(await statusWith({ 'x-app-id': id, 'x-app-token': token })).toBe(200);
    expect((await appKey('list', project.id)).stdout.split('\n')).toContain(`${id}\tTill 2\ton`);
  });

  test('is followed by a rotation with two valid tokens, until the older one is retired', async () => {
    const created = await appKey('create', project.id, '--name', 'Till 3');
    const id = told('app id', created.stdout);
    const older = { 'x-app-id': id, 'x-app-token': told('token', created.stdout) };
    expect((await appKey('retire', id)).stderr).toContain('has one token');
    const rotated = await appKey('rotate', id);
    const newer = { 'x-app-id': id, 'x-app-token': told('token', rotated.stdout) };
    expect(newer).not.toEqual(older);
    expect([await statusWith(older), await statusWith(newer)]).toEqual([200, 200]);
    expect((await appKey('list', project.id)).stdout.split('\n')).toContain(`${id}\tTill 3\ton\ttwo tokens`);
    expect((await appKey('rotate', id)).stderr).toContain('has two tokens');
    expect((await appKey('retire', id)).code).toBe(0);
    expect([await statusWith(older), await statusWith(newer)]).toEqual([401, 200]);
    expect((await appKey('rotate', 'app_unknown')).code).toBe(1);
  });

  test('takes an id once, and leaves its first key unchanged', async () => {
    const id = uniqueId('till-');
    const first = await appKey('create', project.id, '--name', 'Till', '--id', id);
    const headers = { 'x-app-id': id, 'x-app-token': told('token', first.stdout) };
    for (const args of [[], ['--dry-run']]) {
      expect(await appKey('create', project.id, '--name', 'Other', '--id', id, ...args)).toEqual({
        code: 1,
        stdout: '',
        stderr: `app_key ${id}: another app key, of this project or another, already has this id: send another id\n`,
      });
    }
    expect(await statusWith(headers)).toBe(200);
  });

  test('creates exactly one of twenty parallel keys with one id', async () => {
    const { dynamodb, tableName } = testDependencies();
    const appId = uniqueId('till-');
    const made = await Promise.allSettled(
      Array.from({ length: 20 }, () =>
        createAppKey(new Table(dynamodb, tableName, testTime), { projectId: project.id, appId, name: 'Till' }),
      ),
    );
    const tokens = made.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    expect(tokens).toHaveLength(1);
    expect(await statusWith({ 'x-app-id': appId, 'x-app-token': tokens[0] ?? '' })).toBe(200);
  });

  test('creates no key for a missing project', async () => {
    const unknown = uniqueId('proj_');
    for (const args of [[], ['--dry-run']]) {
      const run = await appKey('create', unknown, '--name', 'X', '--id', `of-${unknown}`, ...args);
      expect(run).toEqual({
        code: 1,
        stdout: '',
        stderr: `project ${unknown}: no project has this id\n`,
      });
    }
    expect((await appKey('off', `of-${unknown}`)).code).toBe(1);
  });

  test('creates no key on a dry run, and prints no token', async () => {
    const id = uniqueId('till-');
    expect(await appKey('create', project.id, '--name', 'Till', '--id', id, '--dry-run')).toEqual({
      code: 0,
      stdout: `app key ${id} of ${project.id} can be created. Nothing was written.\n`,
      stderr: '',
    });
    expect((await appKey('off', id)).stderr).toBe(`app_key ${id}: no app key has this id\n`);
  });
});

describe('app-key off', () => {
  test('switches a key off, and says if it was already off', async () => {
    const own = await loadProject({ vouchers });
    const id = own.credentials['x-app-id'] ?? '';
    expect((await appKey('off', id, '--dry-run')).stdout).toBe(
      `${id} of ${own.id} is on and can be switched off. Nothing was written.\n`,
    );
    expect(await statusWith(own.credentials)).toBe(200);
    expect((await appKey('off', id)).stdout).toBe(
      `${id} is off. Every container stops accepting it within 60 seconds.\n`,
    );
    expect(await statusWith(own.credentials)).toBe(401);
    expect(await appKey('off', id)).toEqual({ code: 0, stdout: `${id} was already off\n`, stderr: '' });
    expect((await appKey('list', own.id)).stdout).toBe(`${id}\tShop\toff\n`);
  });

  test('lasts over a new load of the project file, until the file itself says that the key is on', async () => {
    const file = projectFile({ vouchers });
    const [key] = file.app_keys;
    await loadFile(file);
    await appKey('off', key?.app_id ?? '');
    await loadFile(file);
    expect(await statusWith(credentialsOf(file))).toBe(401);
    await loadFile({ ...file, app_keys: [{ ...key, active: true }] });
    expect(await statusWith(credentialsOf(file))).toBe(200);
  });
});

describe('app-key', () => {
  test('lists the keys of one project only', async () => {
    const own = await loadProject();
    expect((await appKey('list', own.id)).stdout).toBe(`${own.credentials['x-app-id']}\tShop\ton\n`);
    const unknown = uniqueId('proj_');
    expect((await appKey('list', unknown)).stderr).toBe(`project ${unknown}: no project has this id\n`);
  });

  test.each(
    sampled(
      [
        ['nothing', [], ''],
        ['an unknown word', ['delete', 'x'], ''],
        ['no project', ['create', '--name', 'X'], 'PROJECT is required'],
        ['an empty project', ['list', ''], 'PROJECT must not be empty'],
        ['no name', ['create', 'proj_x'], '--name is required'],
        ['a word too many', ['off', 'a', 'b'], ''],
        ['an unknown option', ['off', 'a', '--force'], "Unknown option '--force'"],
        ["another verb's option", ['off', 'a', '--name', 'x'], 'off has no option --name'],
      ],
      4,
    ),
  )('called with %s prints its usage, and ends with 2', async (_, args, line) => {
    const { code, stdout, stderr } = await appKey(...args);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr.startsWith(line)).toBe(true);
    expect(stderr).toContain('npm run app-key -- create PROJECT --name NAME');
    expect(stderr).not.toMatch(/^ +at /m);
  });

  test('explains itself', async () => {
    const { code, stdout, stderr } = await appKey('--help');
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toContain('npm run app-key -- off APP_ID');
    expect(stdout).toContain('TABLE_NAME');
  });
});
