import { describe, expect, test } from 'vitest';
import { inviter } from '../support/invitations.ts';
import { beforeTransaction, meanwhile } from '../support/meanwhile.ts';
import { loadFile } from '../support/project.ts';
import { entryOf, loadTeam, newUser, outcome, usersOf } from '../support/users.ts';

/** Returns a user of another project. */
async function elsewhere() {
  const user = newUser();
  await loadTeam([[user, 'VIEWER']]);
  return user;
}

describe('at the same time', () => {
  test('two owners who leave at once leave one owner', async () => {
    const [one, two] = [newUser(), newUser()];
    const { id } = await loadTeam([
      [one, 'ADMIN'],
      [two, 'ADMIN'],
    ]);
    const first = async () => expect((await usersOf(id).update(one.id, 'USER')).status).toBe(200);
    const reply = await meanwhile(beforeTransaction(), first, (dependencies) =>
      usersOf(id, { dependencies }).update(two.id, 'USER'),
    );
    expect(outcome(reply)).toEqual([400, 'last_owner']);
    expect((await usersOf(id).get(two.id)).body.is_owner).toBe(true);
  });

  test('a user who leaves two projects at once stays in one', async () => {
    const leaver = newUser();
    const [here, there] = [await loadTeam([[leaver, 'USER']]), await loadTeam([[leaver, 'USER']])];
    const first = async () => expect((await usersOf(here.id).remove(leaver.id)).status).toBe(204);
    const reply = await meanwhile(beforeTransaction(), first, (dependencies) =>
      usersOf(there.id, { dependencies }).remove(leaver.id),
    );
    expect(outcome(reply)).toEqual([400, 'only_project']);
    expect(outcome(await usersOf(there.id).get(leaver.id))).toEqual([200, { [there.id]: 'USER' }]);
  });

  test('a user who is added twice at once is added once', async () => {
    const member = await elsewhere();
    const { id } = await loadTeam([[newUser(), 'ADMIN']]);
    const users = Array.from({ length: 10 }, () => usersOf(id).add({ id: member.id, role: 'USER' }));
    const replies = await Promise.all(users);
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200, 409]));
  });

  test('an invitation of a person who is added meanwhile is refused', async () => {
    const member = await elsewhere();
    const { id } = await loadTeam([[newUser(), 'ADMIN']]);
    const first = async () => expect((await usersOf(id).add({ id: member.id, role: 'USER' })).status).toBe(200);
    const reply = await meanwhile(beforeTransaction(), first, (dependencies) =>
      inviter(dependencies)(member.login, { [id]: 'ADMIN' }),
    );
    expect(outcome(reply)).toEqual([409, 'duplicate_found']);
  });

  test('a load and a request keep the changes of both', async () => {
    const [one, two] = [newUser(), newUser()];
    const project = await loadTeam([[one, 'ADMIN']]);
    await loadTeam([[two, 'USER']]);
    const users = [entryOf(one, 'ADMIN'), entryOf(newUser(), 'USER')];
    const first = async () => void (await loadFile({ ...project.file, users }));
    const reply = await meanwhile(beforeTransaction(), first, (dependencies) =>
      usersOf(project.id, { dependencies }).add({ id: two.id, role: 'USER' }),
    );
    expect(reply.status).toBe(200);
    expect((await usersOf(project.id).list()).body.total).toBe(3);
  });
});
