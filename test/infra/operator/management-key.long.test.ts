import { expect, test } from 'vitest';
import { handler } from '../../../functions/management/get-brand.ts';
import { caller } from '../../support/call.ts';
import { coldDependencies, uniqueId } from '../../support/dependencies.ts';
import { manageProjects, projectBody } from '../../support/managed-projects.ts';
import { operate } from '../../support/operator.ts';
import { loadFile, loadProject, projectFile } from '../../support/project.ts';

const managementKey = (...args: string[]) => operate('management-key', args);

async function loaded() {
  const file = projectFile();
  const [id, token] = [uniqueId('ops-'), 'a-token-of-the-manager'];
  const withKey = { ...file, management_keys: [{ management_id: id, management_token: token }] };
  await loadFile(withKey);
  /** Returns 404 to an admitted caller, because the project has no brand. */
  const status = async () => {
    const call = caller(handler, coldDependencies({ managementGuard: 'keys' }));
    const headers = { 'x-management-id': id, 'x-management-token': token };
    return (await call({ params: { projectId: file.project.id, brandingId: 'brd_none' }, headers })).status;
  };
  return { id, file: withKey, status };
}

test('a management key is switched off, listed as off, and reported if it was already off', async () => {
  const { id, file, status } = await loaded();
  expect((await managementKey('off', id, '--dry-run')).stdout).toBe(
    `${id} of ${file.project.id} is on and can be switched off. Nothing was written.\n`,
  );
  expect(await status()).toBe(404);
  expect((await managementKey('off', id)).stdout).toBe(
    `${id} is off. Every container stops accepting it within 60 seconds.\n`,
  );
  expect(await status()).toBe(401);
  expect(await managementKey('off', id)).toEqual({ code: 0, stdout: `${id} was already off\n`, stderr: '' });
  expect((await managementKey('list', file.project.id)).stdout).toBe(`${id}\toff\n`);
});

test('it stays off over a new load of the project file, until the file itself says that it is on', async () => {
  const { id, file, status } = await loaded();
  await managementKey('off', id);
  await loadFile(file);
  expect(await status()).toBe(401);
  await loadFile({ ...file, management_keys: file.management_keys.map((key) => ({ ...key, active: true })) });
  expect(await status()).toBe(404);
});

test('an unknown management key is refused', async () => {
  const id = uniqueId('ops-');
  expect(await managementKey('off', id)).toEqual({
    code: 1,
    stdout: '',
    stderr: `management_key ${id}: no management key has this id\n`,
  });
});

const printed = (label: string, stdout: string) => new RegExp(`^${label} +(\\S+)$`, 'm').exec(stdout)?.[1] ?? '';

function printedKey({ stdout }: { stdout: string }) {
  const headers = { 'x-management-id': printed('id', stdout), 'x-management-token': printed('token', stdout) };
  return { id: headers['x-management-id'], headers };
}

/** Calls in a container without memory, because a container may trust what it has read. */
const guarded = (headers: Record<string, string>) =>
  manageProjects(coldDependencies({ managementGuard: 'keys' }), headers);

test('a key for all projects creates the first project of a guarded deployment, and manages every project', async () => {
  const made = await managementKey('create', '--all-projects', '--name', 'Operators');
  expect([made.code, made.stderr]).toEqual([0, '']);
  const { id, headers } = printedKey(made);
  const first = await guarded(headers).create();
  expect(first.status).toBe(200);
  const { id: loaded } = await loadProject();
  expect((await guarded(headers).get(loaded)).status).toBe(200);
  expect((await guarded(headers).remove(first.body.id)).status).toBe(204);
  expect((await guarded(headers).create(projectBody())).status).toBe(200);
  expect((await guarded({ ...headers, 'x-management-token': 'wrong' }).create()).status).toBe(401);
  expect((await managementKey('list', '--all-projects')).stdout).toContain(`${id}\ton\n`);
  expect((await managementKey('off', id, '--dry-run')).stdout).toContain(`${id} of all projects is on`);
  expect((await managementKey('off', id)).code).toBe(0);
  expect((await guarded(headers).create()).status).toBe(401);
  expect((await managementKey('list', '--all-projects')).stdout).toContain(`${id}\toff\n`);
});

test('a key of one project is made, has two tokens for a time, and one again', async () => {
  const { id: project } = await loadProject();
  const older = printedKey(await managementKey('create', project, '--name', 'Desk'));
  const newer = printedKey(await managementKey('rotate', older.id));
  const statuses = () =>
    Promise.all([older, newer].map(async ({ headers }) => (await guarded(headers).get(project)).status));
  expect(newer.id).toBe(older.id);
  expect(await statuses()).toEqual([200, 200]);
  expect((await managementKey('rotate', older.id)).stderr).toContain('has two tokens');
  expect((await managementKey('list', project)).stdout).toBe(`${older.id}\ton\ttwo tokens\n`);
  expect((await managementKey('retire', older.id)).code).toBe(0);
  expect(await statuses()).toEqual([401, 200]);
  expect((await guarded(newer.headers).create()).body.key).toBe('forbidden');
});

test('a wrong command line makes no key', async () => {
  const { id: project } = await loadProject();
  const id = uniqueId('ops-');
  expect((await managementKey('create', project, '--all-projects', '--name', 'Both')).code).toBe(2);
  expect((await managementKey('create', '--name', 'None')).code).toBe(2);
  expect((await managementKey('create', 'proj_unknown', '--name', 'None')).code).toBe(1);
  expect((await managementKey('create', '--all-projects', '--name', 'Dry', '--id', id, '--dry-run')).code).toBe(0);
  expect((await managementKey('create', '--all-projects', '--name', 'First', '--id', id)).code).toBe(0);
  for (const more of [[], ['--dry-run']]) {
    const again = await managementKey('create', project, '--name', 'Second', '--id', id, ...more);
    expect([again.code, again.stderr]).toEqual([1, expect.stringContaining(`${id}: another management key`)]);
  }
});
