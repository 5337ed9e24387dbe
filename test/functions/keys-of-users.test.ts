import { describe, expect, test } from 'vitest';
import type { ProjectKey } from '#addons/admin/management/project-keys.ts';
import { paramsIn } from '#kernel/http/route.ts';
import { handler as invite } from '../../functions/management/invite-user.ts';
import { operations } from '../../infra/operations.ts';
import { caller } from '../support/call.ts';
import { coldDependencies } from '../support/dependencies.ts';
import { exported } from '../support/exported.ts';
import { uniqueEmail } from '../support/invitations.ts';
import { manageProjects } from '../support/managed-projects.ts';
import { beforeTransaction, meanwhile } from '../support/meanwhile.ts';
import { loadFile } from '../support/project.ts';
import { loadTeam, loadWithKeys, newUser, type TestUser, usersOf } from '../support/users.ts';

/** A user's key may do what the user may do now, and a key that a user makes outlives no role. */

/** Loads a project of two owners, whose keys are used in one container that trusts what it has read for a minute. */
async function twoOwners() {
  const [own, other] = [newUser(), newUser()];
  const { id, headers } = await loadWithKeys([
    [own, 'ADMIN'],
    [other, 'ADMIN'],
  ]);
  await loadTeam([[own, 'USER']]);
  const dependencies = coldDependencies({ managementGuard: 'keys' });
  const [ofOwn = {}, ofOther = {}]: readonly Headers[] = headers;
  const by = (sent: Headers) => manageProjects(dependencies, sent);
  expect((await by(ofOwn).listKeys(id)).status).toBe(200);
  const demote = async (role = 'VIEWER') => expect((await usersOf(id).update(own.id, role)).status).toBe(200);
  const remove = async () => expect((await usersOf(id).remove(own.id)).status).toBe(204);
  return { id, own, other, ofOwn, ofOther, by, demote, remove, dependencies };
}

type Headers = Record<string, string>;

const headersOf = ({ id, token }: { id: string; token: string }): Headers => ({
  'x-management-id': id,
  'x-management-token': token,
});

const writing = operations.filter(({ route }) => route.authentication === 'management' && route.access === 'write');

describe('within the minute in which a container trusts a role,', () => {
  test('every management call that writes is refused to an owner who became a VIEWER', async () => {
    const { id, ofOwn, demote, dependencies, by } = await twoOwners();
    await demote();
    expect(writing.length).toBeGreaterThan(20);
    const answers = await Promise.all(
      writing.map(async ({ name, handler }) => {
        const names = paramsIn(handler.route.path).map((param) => [param, param === 'projectId' ? id : 'none']);
        const { status, body } = await caller(
          handler,
          dependencies,
        )({
          headers: ofOwn,
          params: Object.fromEntries(names),
          ...(handler.route.method === 'GET' ? {} : { body: {} }),
        });
        return [name, status, body.key];
      }),
    );
    expect(answers).toEqual(writing.map(({ name }) => [name, 403, 'forbidden']));
    expect((await by(ofOwn).listKeys(id)).status).toBe(200);
  });

  test('a demoted owner makes no key and invites nobody, and a removed one neither', async () => {
    const { id, ofOwn, demote, remove, by, dependencies } = await twoOwners();
    const body = { email: uniqueEmail(), first_name: 'Ana', last_name: 'Lund', projects: { [id]: 'ADMIN' } };
    const ask = async () => [
      (await by(ofOwn).createKey(id, { type: 'MANAGEMENT', name: 'Back door' })).status,
      (await caller(invite, dependencies)({ headers: ofOwn, body })).status,
    ];
    await demote();
    expect(await ask()).toEqual([403, 403]);
    await remove();
    expect(await ask()).toEqual([401, 401]);
    expect((await manageProjects().listKeys(id)).body.total).toBe(3);
  });

  test('a key that was revoked makes no other key', async () => {
    const { id, ofOwn, by } = await twoOwners();
    expect((await manageProjects().revokeKey(id, ofOwn['x-management-id'] ?? '')).status).toBe(204);
    expect((await by(ofOwn).createKey(id, { type: 'MANAGEMENT', name: 'Back door' })).status).toBe(401);
  });

  test('a new owner writes immediately', async () => {
    const { id, ofOwn, demote, by } = await twoOwners();
    await demote();
    expect((await by(ofOwn).createKey(id, { type: 'SERVER', name: 'Till' })).status).toBe(403);
    await demote('ADMIN');
    expect((await by(ofOwn).createKey(id, { type: 'SERVER', name: 'Till' })).status).toBe(200);
  });
});

describe('a management key that a user makes', () => {
  test('gives no power if the role is lost between the check of the role and the write of the key', async () => {
    const { id, ofOwn, demote, by } = await twoOwners();
    const { status, body: key } = await meanwhile(
      beforeTransaction(),
      () => demote(),
      (container) =>
        manageProjects({ ...container, managementGuard: 'keys' }, ofOwn).createKey(id, {
          type: 'MANAGEMENT',
          name: 'Ops',
        }),
    );
    expect(status).toBe(200);
    expect((await by(headersOf(key)).createKey(id, { type: 'SERVER', name: 'Till' })).status).toBe(403);
  });

  test('acts for its maker, and ends with the role of the maker', async () => {
    const { id, own, ofOwn, demote, remove, by } = await twoOwners();
    const { body: key } = await by(ofOwn).createKey(id, { type: 'MANAGEMENT', name: 'Ops' });
    const sent = headersOf(key);
    expect((await by(sent).createKey(id, { type: 'SERVER', name: 'Till' })).status).toBe(200);
    const maker = { login: own.login, is_owner: true };
    expect(key).toMatchObject({ login: own.login, made_by: maker });
    await demote();
    expect((await by(sent).createKey(id, { type: 'SERVER', name: 'Till' })).status).toBe(403);
    await remove();
    const cold = manageProjects(coldDependencies({ managementGuard: 'keys' }), sent);
    expect((await cold.get(id)).status).toBe(401);
  });

  test('can be rotated by its maker, and no user takes over the key of another user or of an operator', async () => {
    const { id, ofOwn, ofOther, by } = await twoOwners();
    const { body: key } = await by(ofOwn).createKey(id, { type: 'MANAGEMENT', name: 'Ops' });
    const { body: ofOperator } = await manageProjects().createKey(id, { type: 'MANAGEMENT', name: 'Deployment' });
    expect(ofOperator).not.toHaveProperty('login');
    for (const { id: keyId } of [key, ofOperator]) {
      const { status, body } = await by(ofOther).rotateKey(id, keyId);
      expect([status, body.key]).toEqual([403, 'forbidden']);
    }
    const { status, body } = await by(ofOwn).rotateKey(id, key.id);
    expect([status, body.login]).toEqual([200, key.login]);
    expect((await by(headersOf({ id: key.id, token: body.token })).get(id)).status).toBe(200);
    expect((await by(ofOther).revokeKey(id, key.id)).status).toBe(204);
  });
});

describe('a list of keys', () => {
  const found = async (projectId: string, keyId: string) =>
    (await manageProjects().listKeys(projectId)).body.data.find(({ id }: { id: string }) => id === keyId);
  const shown = ({ login }: TestUser, is_owner: boolean) => ({ login, is_owner });

  test.each(['SERVER', 'CLIENT'])(
    'names who made and who rotated a %s key, and who is no owner any longer',
    async (type) => {
      const { id, own, other, ofOwn, ofOther, demote, remove, by } = await twoOwners();
      const { body: made } = await by(ofOwn).createKey(id, {
        type,
        name: 'Shop',
        ...(type === 'CLIENT' ? { origins: ['https://shop.example'] } : {}),
      });
      expect((await found(id, made.id)).made_by).toEqual(shown(own, true));
      await demote();
      expect((await found(id, made.id)).made_by).toEqual(shown(own, false));
      const { body: rotated } = await by(ofOther).rotateKey(id, made.id);
      await remove();
      const listed = await found(id, made.id);
      expect(listed).toMatchObject({ made_by: shown(own, false), rotated_by: shown(other, true), active: true });
      const { token: _, ...withoutToken } = rotated;
      expect(withoutToken).toEqual(listed);
    },
  );

  test('keeps the makers in an exported project file, which loads again', async () => {
    const { id, own, ofOwn, by } = await twoOwners();
    for (const type of ['SERVER', 'CLIENT', 'MANAGEMENT']) {
      const origins = type === 'CLIENT' ? { origins: ['https://shop.example'] } : {};
      const { body: made } = await by(ofOwn).createKey(id, { type, name: 'Mine', ...origins });
      expect((await by(ofOwn).rotateKey(id, made.id)).status).toBe(200);
    }
    const before = (await manageProjects().listKeys(id)).body.data;
    const file = await exported(id);
    for (const list of [file.app_keys, file.client_keys, file.management_keys]) {
      expect(list).toContainEqual(expect.objectContaining({ made_by: own.login, rotated_by: own.login }));
    }
    await loadFile(file);
    const makersOf = (keys: ProjectKey[]) => keys.map((key) => [key.id, key.login, key.made_by, key.rotated_by]);
    expect(makersOf((await manageProjects().listKeys(id)).body.data)).toEqual(makersOf(before));
  });

  test('names no maker of keys that operators made', async () => {
    const { id } = await twoOwners();
    const { body: made } = await manageProjects().createKey(id, { type: 'SERVER', name: 'Till' });
    expect((await manageProjects().rotateKey(id, made.id)).status).toBe(200);
    const listed = await found(id, made.id);
    expect(listed).not.toHaveProperty('made_by');
    expect(listed).not.toHaveProperty('rotated_by');
  });
});
