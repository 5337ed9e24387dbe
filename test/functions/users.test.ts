import { describe, expect, test } from 'vitest';
import { projectUsers } from '#addons/admin/management/user.ts';
import { accountsById } from '#kernel/access/users/account.ts';
import { commit, insert } from '#kernel/table/effects.ts';
import { Table } from '#kernel/table/table.ts';
import { handler as add } from '../../functions/management/add-user.ts';
import type { Reply } from '../support/call.ts';
import { coldDependencies, testDependencies, testTime, uniqueId } from '../support/dependencies.ts';
import { exported } from '../support/exported.ts';
import { names } from '../support/invitations.ts';
import { loadFile } from '../support/project.ts';
import { entryOf, loadTeam, loadWithOwnersKey, newUser, outcome, usersOf } from '../support/users.ts';

const [owner, member] = [newUser(), newUser()];
const cafe = await loadTeam([
  [owner, 'ADMIN'],
  [member, 'VIEWER'],
]);

describe('a user of a project', () => {
  test('is found by id and by login in any case, with the role in each project', async () => {
    const users = usersOf(cafe.id);
    const shown = {
      ...owner,
      email: owner.login,
      ...names,
      projects: { [cafe.id]: 'ADMIN' },
      is_owner: true,
    };
    for (const name of [owner.id, owner.login, owner.login.toUpperCase()]) {
      const { status, body } = await users.get(name);
      expect([status, body]).toEqual([200, shown]);
    }
    const { body } = await users.list();
    expect(body).toMatchObject({ object: 'list', data_ref: 'data', total: 2 });
    expect(body.data).toContainEqual(shown);
    expect(body.data).toContainEqual(expect.objectContaining({ id: member.id, is_owner: false }));
  });

  test('is added by id or login, gets another role, and is removed', async () => {
    const shop = await loadTeam([[newUser(), 'ADMIN']]);
    const users = usersOf(shop.id);
    for (const name of [{ id: member.id }, { login: member.login.toUpperCase() }]) {
      const projects = (role: string) => ({ [cafe.id]: 'VIEWER', [shop.id]: role });
      expect(outcome(await users.add({ ...name, role: 'USER' }))).toEqual([200, projects('USER')]);
      expect(outcome(await users.add({ ...name, role: 'USER' }))).toEqual([409, 'duplicate_found']);
      expect(outcome(await users.update(member.id, 'role_editor'))).toEqual([200, projects('role_editor')]);
      expect(outcome(await users.get(member.login))).toEqual([200, projects('role_editor')]);
      expect((await users.list()).body.total).toBe(2);
      expect((await exported(shop.id)).users).toContainEqual(entryOf(member, 'role_editor'));
      expect((await users.remove(member.login)).status).toBe(204);
      expect(outcome(await users.get(member.id))).toEqual([404, 'not_found']);
      expect(outcome(await users.remove(member.id))).toEqual([400, 'user_not_assigned']);
      expect((await users.list()).body.total).toBe(1);
      expect((await exported(shop.id)).users).toHaveLength(1);
    }
    expect(outcome(await usersOf(cafe.id).get(member.id))).toEqual([200, { [cafe.id]: 'VIEWER' }]);
  });

  test('is loaded again with another role, and keeps the roles in other projects', async () => {
    const other = newUser();
    const [one, two] = [await loadTeam([[other, 'USER']]), await loadTeam([[other, 'VIEWER']])];
    await loadFile({ ...one.file, users: [entryOf(other, 'MERCHANT')] });
    expect(outcome(await usersOf(one.id).get(other.id))).toEqual([200, { [one.id]: 'MERCHANT', [two.id]: 'VIEWER' }]);
  });
});

describe('is refused:', () => {
  const unknown = 'nobody@mail.example';
  type Users = ReturnType<typeof usersOf>;

  test.each<[string, (users: Users) => Promise<Reply>, number, string]>([
    ['an unknown user', (users) => users.get(unknown), 404, 'not_found'],
    ['a change of an unknown user', (users) => users.update('user_unknown', 'USER'), 404, 'not_found'],
    ['an unknown user to add', (users) => users.add({ login: unknown, role: 'USER' }), 404, 'not_found'],
    ['the removal of an unknown user', (users) => users.remove(unknown), 400, 'user_not_assigned'],
    ['id and login', (users) => users.add({ ...member, role: 'USER' }), 400, 'invalid_payload'],
    ['neither id nor login', (users) => users.add({ role: 'USER' }), 400, 'invalid_payload'],
    ['no role', (users) => users.add({ id: member.id }), 400, 'invalid_payload'],
    ['a body without a role', (users) => users.updateBy(member.id, {}), 400, 'invalid_payload'],
    ['an unknown role', (users) => users.update(member.id, 'BOSS'), 400, 'used_incorrect_role'],
    ['a role named like a property', (users) => users.update(member.id, 'constructor'), 400, 'used_incorrect_role'],
    ['a role without its feature', (users) => users.update(member.id, 'USER_RESTRICTED'), 400, 'used_incorrect_role'],
    ['another role of the last owner', (users) => users.update(owner.id, 'USER'), 400, 'last_owner'],
    ['the removal of the last owner', (users) => users.remove(owner.login), 400, 'last_owner'],
    ["the removal from a user's only project", (users) => users.remove(member.id), 400, 'only_project'],
  ])('%s', async (_, ask, status, key) => {
    const before = (await usersOf(cafe.id).list()).body;
    const reply = await ask(usersOf(cafe.id));
    expect(outcome(reply)).toEqual([status, key]);
    expect((await usersOf(cafe.id).list()).body).toEqual(before);
  });

  test('all calls about an unknown project', async () => {
    const users = usersOf(uniqueId('proj_'));
    const { id } = member;
    for (const ask of [users.list, () => users.get(id), () => users.add({ id, role: 'USER' })]) {
      expect(outcome(await ask())).toEqual([404, 'not_found']);
    }
    for (const ask of [() => users.update(id, 'USER'), () => users.remove(id)]) {
      expect(outcome(await ask())).toEqual([404, 'not_found']);
    }
  });

  test('one project too many, and one user too many', async () => {
    const busy = newUser();
    const { dynamodb, tableName } = testDependencies();
    const table = new Table(dynamodb, tableName, testTime);

    const many = (count: number, prefix: string) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`${prefix}${index}`, 'USER']));
    const account = { ...busy, email: busy.login, ...names, projects: many(100, 'proj_') };
    await commit(table, [insert(accountsById(busy.id), account)]);
    expect(outcome(await usersOf(cafe.id).add({ id: busy.id, role: 'USER' }))).toEqual([400, 'too_many_resources']);
    const full = (await loadTeam([])).id;
    await commit(table, [insert(projectUsers(full), { roles: many(300, 'user_') })]);
    expect(outcome(await usersOf(full).add({ id: member.id, role: 'USER' }))).toEqual([400, 'too_many_resources']);
  });
});

describe('a management key of a user', () => {
  const keys = () => testDependencies({ managementGuard: 'keys' });
  const cold = () => coldDependencies({ managementGuard: 'keys' });

  test('cannot take its own role away, unless another owner stays', async () => {
    const [own, other] = [newUser(), newUser()];
    const { id, headers } = await loadWithOwnersKey(own, [[other, 'USER']]);
    await loadTeam([[own, 'USER']]);
    const users = usersOf(id, { dependencies: keys(), headers });
    expect(outcome(await users.update(own.id, 'USER'))).toEqual([400, 'own_role']);
    expect(outcome(await users.remove(own.login))).toEqual([400, 'own_role']);
    expect(outcome(await users.update(own.id, 'ADMIN'))).toEqual([200, { [id]: 'ADMIN' }]);
    expect(outcome(await users.update(other.id, 'ADMIN'))).toEqual([200, { [id]: 'ADMIN' }]);
    expect(outcome(await users.update(own.id, 'VIEWER'))).toEqual([200, { [id]: 'VIEWER' }]);
    // The container still trusts the role of an owner.
    for (const lost of [users, usersOf(id, { dependencies: cold(), headers })]) {
      expect((await lost.list()).status).toBe(200);
      expect(outcome(await lost.update(own.id, 'ADMIN'))).toEqual([403, 'forbidden']);
      expect(outcome(await lost.add({ id: member.id, role: 'ADMIN' }))).toEqual([403, 'forbidden']);
      expect(outcome(await lost.remove(other.id))).toEqual([403, 'forbidden']);
    }
    expect((await usersOf(id).remove(own.id)).status).toBe(204);
    expect(outcome(await usersOf(id, { dependencies: cold(), headers }).list())).toEqual([401, 'unauthorized']);
  });

  test('learns the name to a login of another project by adding it, as the operation says', async () => {
    const [own, other] = [newUser(), newUser()];
    const { id, headers } = await loadWithOwnersKey(own);
    await loadTeam([[other, 'USER']]);
    const users = usersOf(id, { dependencies: keys(), headers });
    expect(outcome(await users.get(other.login))).toEqual([404, 'not_found']);
    expect((await users.add({ login: other.login, role: 'USER' })).body).toMatchObject(names);
    expect(add.route.note).toContain('shows the first and last name that another project has given the user');
  });

  test('shows no role in another project', async () => {
    const [own, other] = [newUser(), newUser()];
    const { id, headers } = await loadWithOwnersKey(own);
    await loadTeam([[other, 'USER']]);
    const users = usersOf(id, { dependencies: keys(), headers });
    expect(outcome(await users.add({ id: other.id, role: 'USER' }))).toEqual([200, { [id]: 'USER' }]);
    expect((await users.list()).body.data.map(({ projects }: { projects: object }) => Object.keys(projects))).toEqual([
      [id],
      [id],
    ]);
  });
});
