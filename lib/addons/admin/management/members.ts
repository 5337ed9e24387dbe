import * as v from 'valibot';
import { type Account, accountItem, accountsById, deriveUserId, findRole } from '#kernel/access/users/account.ts';
import type { Manager } from '#kernel/access/users/manager.ts';
import { canManage } from '#kernel/access/users/manager.ts';
import { ownerRole } from '#kernel/access/users/roles.ts';
import { described, named } from '#kernel/core/documented.ts';
import { record, text } from '#kernel/core/schema.ts';
import { parseStored } from '#kernel/table/item.ts';
import type { Table } from '#kernel/table/table.ts';
import { projectUsers } from './user.ts';

/** The name in errors. */
export const userType = 'user';

/** A user in replies. */
export const projectUser = named(
  'User',
  v.object({
    id: text,
    login: described(text, 'The e-mail address of the user in lower case.'),
    email: text,
    first_name: described(text, 'First name of the user.'),
    last_name: described(text, 'Last name of the user.'),
    projects: described(record(text), 'The role in each project that the caller may manage, by the id of the project.'),
    is_owner: described(v.boolean(), 'Whether the user is an owner of the project: its role there is ADMIN.'),
  }),
);

export type ProjectUser = v.InferOutput<typeof projectUser>;

/** A user that a request names. */
export interface ProjectMember {
  readonly account: Account;
  /** The role in the project. */
  readonly role: string | undefined;
}

export type ProjectUsers = v.InferOutput<(typeof projectUsers)['schema']>;

/** A login is an e-mail address. No id has an `@`. */
function isLogin(name: string): boolean {
  return name.includes('@');
}

/** Reads the user with this id or login, and all users of the project. */
export async function readMember(
  table: Table,
  projectId: string,
  name: string,
): Promise<{ member: ProjectMember | undefined; users: ProjectUsers | undefined }> {
  const id = isLogin(name) ? deriveUserId(name) : name;
  const [stored, all] = await table.getMany([accountsById(id), projectUsers(projectId)]);
  const account = stored && parseStored(accountItem, stored);
  const users = all && parseStored(projectUsers(projectId).schema, all);
  return { member: account && { account, role: findRole(account, projectId) }, users };
}

/** Reads the accounts of all users of a project, by login. */
export async function readAccounts(table: Table, projectId: string): Promise<Account[]> {
  const users = await table.get(projectUsers(projectId), projectUsers(projectId).schema);
  const items = await table.getMany(Object.keys(users?.roles ?? {}).map(accountsById));
  return items
    .flatMap((item) => (item ? [parseStored(accountItem, item)] : []))
    .filter((account) => findRole(account, projectId) !== undefined)
    .toSorted((a, b) => (a.login < b.login ? -1 : 1));
}

/** Shows the user of a project. A manager of one project sees no role in another. */
export function showUser(
  { id, login, email, first_name, last_name, projects }: Account,
  { projectId, role, manager }: { projectId: string; role: string; manager: Manager },
): ProjectUser {
  const all = Object.entries({ ...projects, [projectId]: role });
  return {
    id,
    login,
    email,
    first_name,
    last_name,
    projects: Object.fromEntries(all.filter(([project]) => canManage(manager, project))),
    is_owner: role === ownerRole,
  };
}
