import { expect, test } from 'vitest';
import { handler } from '../../../functions/management/get-brand.ts';
import { caller } from '../../support/call.ts';
import { coldDependencies, uniqueId } from '../../support/dependencies.ts';
import { operate } from '../../support/operator.ts';
import { loadFile, projectFile } from '../../support/project.ts';

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
