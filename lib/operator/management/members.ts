import * as v from 'valibot';
import { described, named } from '../../core/documented.ts';
import { record, text } from '../../core/schema.ts';
import type { Manager } from '../../http/context.ts';
import { type Account, accountItem, accountsById, deriveUserId, findRole, toLogin } from '../../http/users/account.ts';
import { ownerRole } from '../../http/users/roles.ts';
import { parseStored } from '../../table/item.ts';
import type { Table } from '../../table/table.ts';
import { canManage } from './manager.ts';
import { projectUsers, user, userKey } from './user.ts';

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
  /** An earlier version has stored the user for this project alone. Such a user has no account yet. */
  readonly hasAccount: boolean;
  /** The role in the project. */
  readonly role: string | undefined;
}

export type ProjectUsers = v.InferOutput<(typeof projectUsers)['schema']>;

/** A login is an e-mail address. No id has an `@`. */
function isLogin(name: string): boolean {
  return name.includes('@');
}

/** Makes the account of a user that an earlier version has stored. */
function makeAccount({ email, first_name, last_name }: v.InferOutput<typeof user>): Account {
  return { id: deriveUserId(email), login: toLogin(email), email, first_name, last_name, projects: {} };
}

/** Reads the user with this id or login, and all users of the project. */
export async function readMember(
  table: Table,
  projectId: string,
  name: string,
): Promise<{ member: ProjectMember | undefined; users: ProjectUsers | undefined }> {
  const id = isLogin(name) ? deriveUserId(name) : name;
  const ofProject = isLogin(name) ? [userKey(projectId, name)] : [];
  const [stored, all, old] = await table.getMany([accountsById(id), projectUsers(projectId), ...ofProject]);
  const known = stored && parseStored(accountItem, stored);
  const users = all && parseStored(projectUsers(projectId).schema, all);
  const before = old && parseStored(user, old);
  const account = known ?? (before && makeAccount(before));
  if (!account) return { member: undefined, users };
  const role = findRole(account, projectId) ?? before?.role;
  return { member: { account, hasAccount: known !== undefined, role }, users };
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
