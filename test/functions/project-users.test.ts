import { describe, expect, test } from 'vitest';
import { maxProjectsOfUser } from '#addons/admin/management/user-effects.ts';
import { accountsById, findAccount } from '#kernel/access/users/account.ts';
import { change, commit } from '#kernel/table/effects.ts';
import { Table } from '#kernel/table/table.ts';
import { testDependencies, testTime } from '../support/dependencies.ts';
import { uniqueEmail } from '../support/invitations.ts';
import { manageProjects, projectBody } from '../support/managed-projects.ts';
import { loadTeam, newUser, outcome, type TestUser, usersOf } from '../support/users.ts';

const own = manageProjects();

const [owner, helper] = [newUser(), newUser()];
await loadTeam([
  [owner, 'ADMIN'],
  [helper, 'VIEWER'],
]);

const table = () => {
  const { dynamodb, tableName } = testDependencies();
  return new Table(dynamodb, tableName, testTime);
};

describe('a new project with users', () => {
  test('has them from its first moment, by id or by login in any case', async () => {
    const users = [
      { login: owner.login.toUpperCase(), role: 'ADMIN' },
      { id: helper.id, role: 'MERCHANT' },
    ];
    const { status, body: made } = await own.create(projectBody({ users }));
    expect([status, made.users]).toEqual([200, undefined]);
    const found = (await usersOf(made.id).list()).body.data;
    const roles = found.map(({ id, projects, is_owner }: TestUser & { projects: object; is_owner: boolean }) => ({
      id,
      role: Object(projects)[made.id],
      is_owner,
    }));
    const byId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1);
    expect(roles.toSorted(byId)).toEqual(
      [
        { id: owner.id, role: 'ADMIN', is_owner: true },
        { id: helper.id, role: 'MERCHANT', is_owner: false },
      ].toSorted(byId),
    );
    expect(outcome(await usersOf(made.id).remove(owner.id))).toEqual([400, 'last_owner']);
  });

  test('is created once for each of ten requests at once that name the same user', async () => {
    const person = newUser();
    await loadTeam([[person, 'USER']]);
    const users = [{ id: person.id, role: 'ADMIN' }];
    const replies = await Promise.all(Array.from({ length: 10 }, () => own.create(projectBody({ users }))));
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200));
    const account = await findAccount(table(), person.id);
    for (const { body } of replies) expect(account?.projects[body.id]).toBe('ADMIN');
  });

  test.each([
    ['an unknown login', () => [{ login: uniqueEmail(), role: 'ADMIN' }], 404, 'not_found'],
    ['an unknown id', () => [{ id: 'user_unknown', role: 'ADMIN' }], 404, 'not_found'],
    ['a role of another project', () => [{ id: owner.id, role: 'role_editor' }], 400, 'used_incorrect_role'],
    ['a role that needs a feature', () => [{ id: owner.id, role: 'USER_RESTRICTED' }], 400, 'used_incorrect_role'],
    ['both names', () => [{ id: owner.id, login: owner.login, role: 'ADMIN' }], 400, 'invalid_payload'],
    ['no name', () => [{ role: 'ADMIN' }], 400, 'invalid_payload'],
    ['no role', () => [{ id: owner.id }], 400, 'invalid_payload'],
    [
      'the same user twice',
      () => [
        { id: owner.id, role: 'ADMIN' },
        { login: owner.login, role: 'USER' },
      ],
      400,
      'invalid_payload',
    ],
    [
      'too many users',
      () => Array.from({ length: 26 }, () => ({ id: owner.id, role: 'USER' })),
      400,
      'invalid_payload',
    ],
    ['null', () => null, 400, 'invalid_payload'],
  ])('is refused as a whole for %s', async (_, users, status, key) => {
    const body = projectBody();
    const refused = await own.create({ ...body, users: users() });
    expect([refused.status, refused.body.key]).toEqual([status, key]);
    // The name is still free, so nothing of the refused project exists.
    expect((await own.create(body)).status).toBe(200);
  });

  test('is refused for a user with as many projects as a user may have', async () => {
    const person = newUser();
    await loadTeam([[person, 'USER']]);
    const projects = Object.fromEntries(Array.from({ length: maxProjectsOfUser }, (_, at) => [`proj_${at}`, 'USER']));
    await commit(table(), [
      change(accountsById(person.id), (update) => update.whenThere().set(['projects'], projects)),
    ]);
    const users = [{ id: person.id, role: 'ADMIN' }];
    expect(outcome(await own.create(projectBody({ users })))).toEqual([400, 'too_many_resources']);
  });
});
