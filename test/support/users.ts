import { deriveUserId } from '#kernel/access/users/account.ts';
import type { Dependencies } from '#kernel/http/composition.ts';
import { handler as add } from '../../functions/management/add-user.ts';
import { handler as get } from '../../functions/management/get-user.ts';
import { handler as list } from '../../functions/management/list-users.ts';
import { handler as remove } from '../../functions/management/remove-user.ts';
import { handler as update } from '../../functions/management/update-user.ts';
import { caller, type Reply } from './call.ts';
import { testDependencies } from './dependencies.ts';
import { names, uniqueEmail } from './invitations.ts';
import { loadFile, loadProject, projectFile, type TestProject } from './project.ts';

export interface TestUser {
  id: string;
  login: string;
}

export function newUser(): TestUser {
  const login = uniqueEmail();
  return { id: deriveUserId(login), login };
}

/** Returns the status with the key of the error, or with the roles of the user. */
export const outcome = ({ status, body }: Reply) => [status, body?.key ?? body?.projects];

/** Returns an entry of a project file. */
export const entryOf = ({ login }: TestUser, role: string) => ({ email: login, ...names, role });

/** Loads a project with a custom role and these users. */
export function loadTeam(roles: readonly (readonly [user: TestUser, role: string])[]): Promise<TestProject> {
  const custom = [{ id: 'role_editor', name: 'Editor' }];
  return loadProject({ roles: custom, users: roles.map(([user, role]) => entryOf(user, role)) });
}

/** Loads a project with a custom role, and with a management key for each of these users. */
export async function loadWithKeys(users: readonly (readonly [user: TestUser, role: string])[]) {
  const file = projectFile({
    roles: [{ id: 'role_editor', name: 'Editor' }],
    users: users.map(([user, role]) => entryOf(user, role)),
  });
  const { id } = file.project;
  const keys = users.map(([{ login }], index) => ({
    management_id: `ops-${index}-${id}`,
    management_token: `a-secret-${index}-of-${id}`,
    login,
  }));
  await loadFile({ ...file, management_keys: keys });
  return {
    id,
    file,
    headers: keys.map(({ management_id, management_token }) => ({
      'x-management-id': management_id,
      'x-management-token': management_token,
    })),
  };
}

/** Loads a project with a management key that acts for an owner. */
export async function loadWithOwnersKey(owner: TestUser, others: readonly (readonly [TestUser, string])[] = []) {
  const { id, headers } = await loadWithKeys([[owner, 'ADMIN'], ...others]);
  return { id, headers: headers[0] ?? {} };
}

/** Returns the calls that manage the users of a project. */
export function usersOf(
  projectId: string,
  {
    dependencies = testDependencies(),
    headers = {},
  }: { dependencies?: Dependencies; headers?: Record<string, string> } = {},
) {
  const call = (handler: Parameters<typeof caller>[0], userId?: string, body?: unknown) =>
    caller(
      handler,
      dependencies,
    )({
      headers,
      params: { projectId, ...(userId === undefined ? {} : { userId }) },
      ...(body === undefined ? {} : { body }),
    });
  return {
    list: () => call(list),
    get: (user: string) => call(get, user),
    add: (body: unknown) => call(add, undefined, body),
    update: (user: string, role: string) => call(update, user, { role }),
    updateBy: (user: string, body: unknown) => call(update, user, body),
    remove: (user: string) => call(remove, user),
  };
}
