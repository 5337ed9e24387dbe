import * as v from 'valibot';
import { features, type Project, projectsById } from '#kernel/access/projects/project.ts';
import { findRole } from '#kernel/access/users/account.ts';
import { managedProjectOr404 } from '#kernel/access/users/manager.ts';
import { described } from '#kernel/core/documented.ts';
import { notFound, ServiceError } from '#kernel/core/errors.ts';
import { identifier, listEnvelope, object, wrapList } from '#kernel/core/schema.ts';
import type { Managing } from '#kernel/http/context.ts';
import { again, retryOptimistically } from '#kernel/table/conflicts.ts';
import { commit } from '#kernel/table/effects.ts';
import { parseStored } from '#kernel/table/item.ts';
import {
  type ProjectMember,
  type ProjectUser,
  projectUser,
  readAccounts,
  readMember,
  showUser,
  userType,
} from './members.ts';
import { role as customRole } from './resource.ts';
import { builtInRoles, findRoleFault } from './role.ts';
import {
  checkLimits,
  checkManager,
  checkRemoval,
  checkRoleLeft,
  giveRole,
  takeRole,
  type UserChange,
} from './user-effects.ts';

/** Manages the users of a project. */

interface Named {
  readonly projectId: string;
  readonly userId: string;
}

const roleField = described(
  identifier,
  `The role in the project: ${builtInRoles.join(', ')}, or the id of a custom role.`,
);

export const addUserBody = v.pipe(
  object({
    id: described(v.optional(identifier), 'Id of an existing user. Send either the id or the login.'),
    login: described(v.optional(identifier), 'Login of an existing user, an e-mail address.'),
    role: roleField,
  }),
  v.check(({ id, login }) => (id === undefined) !== (login === undefined), 'must have either id or login'),
);

export const updateUserBody = object({ role: roleField });

export const userList = listEnvelope(projectUser);

const projectFeatures = v.object({ features: v.optional(features, {}) });

/** Refuses a role that the project does not have. */
async function checkRole({ table }: Managing, { id }: Project, role: string): Promise<void> {
  const isCustom = !builtInRoles.includes(role);
  const [project, custom] = await table.getMany([projectsById(id), ...(isCustom ? [customRole.few(id, role)] : [])]);
  const fault = findRoleFault(role, {
    hasAreasAndStores:
      project !== undefined && parseStored(projectFeatures, project).features.areas_and_stores === true,
    hasCustomRole: custom !== undefined,
  });
  if (fault !== undefined) throw new ServiceError('used_incorrect_role', { details: `role: ${fault}` });
}

/** Reads the named user of the project. 404 if the project does not have it. */
async function memberOr404({ table }: Managing, projectId: string, userId: string) {
  const { member, users } = await readMember(table, projectId, userId);
  if (member?.role === undefined) throw notFound(userType, userId);
  return { member, role: member.role, users };
}

function shown(context: Managing, projectId: string, { account }: ProjectMember, role: string): ProjectUser {
  return showUser(account, { projectId, role, manager: context.manager });
}

export async function listUsers(context: Managing, projectId: string) {
  const { id } = await managedProjectOr404(context, projectId);
  const accounts = await readAccounts(context.table, id);
  return wrapList(
    accounts.map((account) =>
      showUser(account, { projectId: id, role: findRole(account, id) ?? '', manager: context.manager }),
    ),
  );
}

export async function getUser(context: Managing, { projectId, userId }: Named): Promise<ProjectUser> {
  const { id } = await managedProjectOr404(context, projectId);
  const { member, role } = await memberOr404(context, id, userId);
  return shown(context, id, member, role);
}

/** Gives an existing user a role in the project. 409 `duplicate_found` if the user already has a role. */
export async function addUser(
  context: Managing,
  projectId: string,
  { id, login, role }: v.InferOutput<typeof addUserBody>,
): Promise<ProjectUser> {
  const { table, manager } = context;
  const project = await managedProjectOr404(context, projectId);
  await checkRole(context, project, role);
  const name = id ?? login ?? '';
  return retryOptimistically(table, async () => {
    const { member, users } = await readMember(table, project.id, name);
    if (!member) throw notFound(userType, name);
    if (member.role !== undefined) {
      const details = 'the user has a role in the project: update the user instead';
      throw new ServiceError('duplicate_found', { details, resource: { id: name, type: userType } });
    }
    const place: UserChange = { projectId: project.id, member, users };
    checkManager(place, manager);
    checkLimits(place);
    return (await commit(table, giveRole(place, role))) ? shown(context, project.id, member, role) : again;
  });
}

/** Replaces the user's role in the project. The last owner stays an owner. */
export async function updateUser(
  context: Managing,
  { projectId, userId }: Named,
  { role }: v.InferOutput<typeof updateUserBody>,
): Promise<ProjectUser> {
  const { table, manager } = context;
  const project = await managedProjectOr404(context, projectId);
  await checkRole(context, project, role);
  return retryOptimistically(table, async () => {
    const { member, users } = await memberOr404(context, project.id, userId);
    const place: UserChange = { projectId: project.id, member, users };
    checkManager(place, manager);
    checkRoleLeft(place, role, manager);
    return (await commit(table, giveRole(place, role))) ? shown(context, project.id, member, role) : again;
  });
}

/** Removes the user's role in the project. Neither a last owner nor a user without another project can lose it. */
export async function removeUser(context: Managing, { projectId, userId }: Named): Promise<void> {
  const { table, manager } = context;
  const { id } = await managedProjectOr404(context, projectId);
  await retryOptimistically(table, async () => {
    const { member, users } = await readMember(table, id, userId);
    if (member?.role === undefined) {
      const details =
        'the project has no user with this id or login: the list of its users has those that can be removed';
      throw new ServiceError('user_not_assigned', { details, resource: { id: userId, type: userType } });
    }
    const place: UserChange = { projectId: id, member, users };
    checkManager(place, manager);
    checkRemoval(place, manager);
    return (await commit(table, takeRole(place))) || again;
  });
}
