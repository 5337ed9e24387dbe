import { type accountItem, accountsById } from '#kernel/access/users/account.ts';
import type { Manager } from '#kernel/access/users/manager.ts';
import { ownerRole } from '#kernel/access/users/roles.ts';
import { ServiceError } from '#kernel/core/errors.ts';
import { change, type Effect, insert, remove } from '#kernel/table/effects.ts';
import { itemMarks } from '#kernel/table/kind.ts';
import type { Update } from '#kernel/table/update.ts';
import { inviteeKey } from './invitation.ts';
import { type ProjectMember, type ProjectUsers, userType } from './members.ts';
import { projectUsers, userKey } from './user.ts';

/**
 * Gives and removes roles. Each change is a transaction, on the revisions of the user and of the project's users. These
 * two items are never deleted.
 */

export interface UserChange {
  readonly projectId: string;
  readonly member: ProjectMember;
  readonly users: ProjectUsers | undefined;
}

/** Limits the projects of a user and the users of a project, so that each fits into an item and a list into a reply. */
export const maxProjectsOfUser = 100;
const maxUsersOfProject = 300;

/** Refuses a manager that acts for a user without the role of an owner. The role may be lost after the credentials were read. */
export function checkManager({ users }: UserChange, { user }: Manager): void {
  if (!user || users?.roles[user.id] === ownerRole) return;
  throw new ServiceError('forbidden', {
    details: `only an owner manages users: ask one for the role ${ownerRole}`,
  });
}

/** Refuses one project or one user too many. */
export function checkLimits({ member, users }: UserChange): void {
  const faults = [
    ...(Object.keys(member.account.projects).length >= maxProjectsOfUser
      ? [`a user has a role in at most ${maxProjectsOfUser} projects: remove a role first`]
      : []),
    ...(Object.keys(users?.roles ?? {}).length >= maxUsersOfProject
      ? [`a project has at most ${maxUsersOfProject} users: remove one of them first`]
      : []),
  ];
  if (faults.length > 0) throw new ServiceError('too_many_resources', { details: faults.join('; ') });
}

/** Refuses a new role that leaves the project without an owner. `undefined` removes the role. */
export function checkRoleLeft({ member, users }: UserChange, next: string | undefined, manager: Manager): void {
  const { account, role } = member;
  if (role !== ownerRole || next === ownerRole) return;
  const others = Object.entries(users?.roles ?? {}).filter(([id, one]) => id !== account.id && one === ownerRole);
  if (others.length > 0) return;
  const isOwn = manager.user?.id === account.id;
  const subject = isOwn ? 'you are' : 'the user is';
  throw new ServiceError(isOwn ? 'own_role' : 'last_owner', {
    details: `${subject} the last owner of the project: give another user the role ${ownerRole} first`,
    resource: { id: account.id, type: userType },
  });
}

/** Refuses to remove a role that the project or the user needs. */
export function checkRemoval(place: UserChange, manager: Manager): void {
  checkRoleLeft(place, undefined, manager);
  const { account } = place.member;
  const others = Object.keys(account.projects).filter((id) => id !== place.projectId);
  if (others.length > 0) return;
  throw new ServiceError('only_project', {
    details: 'the user has no other project: add the user to another project first',
    resource: { id: account.id, type: userType },
  });
}

type Roles = Readonly<Record<string, string>>;

function without(roles: Roles, id: string): Roles {
  return Object.fromEntries(Object.entries(roles).filter(([one]) => one !== id));
}

function writeAccount({ member: { account } }: UserChange, projects: Roles): Effect {
  const { id, revision } = account;
  const key = accountsById(id);
  return change(key, (update: Update<typeof accountItem>) =>
    update.whenStill('revision', revision).set(['projects'], projects).add('revision', 1),
  );
}

function writeProjectUsers({ projectId, users }: UserChange, roles: Roles): Effect {
  const key = projectUsers(projectId);
  if (!users) return insert(key, { roles, revision: 1 });
  return change(key, (update) => update.whenStill('revision', users.revision).set(['roles'], roles).add('revision', 1));
}

/** Writes the user with the role, together with the list of the project's users. */
function writeUser(place: UserChange, role: string): Effect[] {
  const { projectId, member } = place;
  const { login, email, first_name, last_name, projects } = member.account;
  const key = userKey(projectId, login);
  const item = { email, first_name, last_name, role, ...itemMarks(key) };
  const isNew = member.role === undefined;
  return [
    writeAccount(place, { ...projects, [projectId]: role }),
    change(key, (update) => update.setAll(item)),
    ...(isNew ? [change(inviteeKey(login), (update) => update.add('revision', 1))] : []),
  ];
}

/** Gives the user the role. A running invitation that has not seen the new user is refused. */
export function giveRole(place: UserChange, role: string): Effect[] {
  const { users, member } = place;
  return [...writeUser(place, role), writeProjectUsers(place, { ...users?.roles, [member.account.id]: role })];
}

/** Gives each of the users a role in a project that does not exist yet. */
export function giveFirstRoles(
  projectId: string,
  given: readonly { readonly member: ProjectMember; readonly role: string }[],
): Effect[] {
  if (given.length === 0) return [];
  const roles = Object.fromEntries(given.map(({ member, role }) => [member.account.id, role]));
  return [
    ...given.flatMap(({ member, role }) => writeUser({ projectId, member, users: undefined }, role)),
    insert(projectUsers(projectId), { roles, revision: 1 }),
  ];
}

export function takeRole(place: UserChange): Effect[] {
  const { projectId, member, users } = place;
  const { id, login, projects } = member.account;
  return [
    writeAccount(place, without(projects, projectId)),
    writeProjectUsers(place, without(users?.roles ?? {}, id)),
    remove(userKey(projectId, login), (update) => update),
  ];
}
