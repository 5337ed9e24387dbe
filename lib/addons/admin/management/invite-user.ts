import * as v from 'valibot';
import { features, projectsById } from '#kernel/access/projects/project.ts';
import type { Manager } from '#kernel/access/users/manager.ts';
import { canManage } from '#kernel/access/users/manager.ts';
import { joinFaults, notFound, ServiceError } from '#kernel/core/errors.ts';
import { newId } from '#kernel/core/ids.ts';
import type { Managing } from '#kernel/http/context.ts';
import { newJob } from '#kernel/kit/jobs/job.ts';
import { again, retryOptimistically } from '#kernel/table/conflicts.ts';
import { change, commit, insert } from '#kernel/table/effects.ts';
import { parseStored } from '#kernel/table/item.ts';
import type { Table } from '#kernel/table/table.ts';
import type { Update } from '#kernel/table/update.ts';
import {
  type InvitationBody,
  type InvitationMail,
  type Invited,
  type InviteeItem,
  invitationMails,
  inviteeItem,
  inviteeKey,
} from './invitation.ts';
import { role as customRole } from './resource.ts';
import { builtInRoles, findRoleFault } from './role.ts';
import { userKey } from './user.ts';

const projectFeatures = v.object({ features: v.optional(features, {}) });

/** An invitation to one project, with the project's data. */
interface Asked extends Invited {
  /** `undefined` if the project is unknown, or hidden from the manager. */
  project: { hasAreasAndStores: boolean; hasCustomRole: boolean } | undefined;
  isUser: boolean;
}

async function lookUp(table: Table, manager: Manager, { email, projects }: InvitationBody): Promise<Asked[]> {
  const managed = projects.filter(({ projectId }) => canManage(manager, projectId));
  const custom = managed.filter(({ role }) => !builtInRoles.includes(role));
  const found = await table.getMany([
    ...managed.map(({ projectId }) => projectsById(projectId)),
    ...managed.map(({ projectId }) => userKey(projectId, email)),
    ...custom.map(({ projectId, role }) => customRole.few(projectId, role)),
  ]);
  const projectItems = new Map(managed.map((invited, index) => [invited, found[index]]));
  const userItems = new Map(managed.map((invited, index) => [invited, found[managed.length + index]]));
  const roleItems = new Map(custom.map((invited, index) => [invited, found[2 * managed.length + index]]));
  return projects.map((invited) => {
    const item = projectItems.get(invited);
    return {
      ...invited,
      project: item && {
        hasAreasAndStores: parseStored(projectFeatures, item).features.areas_and_stores === true,
        hasCustomRole: roleItems.get(invited) !== undefined,
      },
      isUser: userItems.get(invited) !== undefined,
    };
  });
}

/** Represents an unknown project, which has no custom roles and allows the built-in roles. */
const noProject = { hasAreasAndStores: true, hasCustomRole: false };

/** Refuses a wrong role before an unknown project, because a wrong role has its own error key. */
function check(asked: readonly Asked[]): void {
  const wrongRoles = asked.flatMap(({ projectId, role, project }) => {
    const fault = findRoleFault(role, project ?? noProject);
    return fault === undefined ? [] : [`projects.${projectId}: ${fault}`];
  });
  if (wrongRoles.length > 0) throw new ServiceError('used_incorrect_role', { details: joinFaults(wrongRoles) });
  const unknown = asked.find(({ project }) => project === undefined);
  if (unknown) throw notFound('project', unknown.projectId);
  const joined = asked.filter(({ isUser }) => isUser);
  const [first] = joined;
  if (first) {
    throw new ServiceError('duplicate_found', {
      details: joinFaults(
        joined.map(({ projectId }) => `projects.${projectId}: a user of this project has this email already`),
      ),
      resource: { id: first.projectId, type: 'project' },
    });
  }
}

/** Limits mails to one an hour per person and project. */
const mailPauseInMs = 3_600_000;

function isMailDue(mailedAt: string | undefined, now: Date): boolean {
  return mailedAt === undefined || now.getTime() - Date.parse(mailedAt) >= mailPauseInMs;
}

/** Keeps the latest invitation for each project. */
function withInvitations(
  stored: InviteeItem | undefined,
  added: InviteeItem['invitations'],
): InviteeItem['invitations'] {
  const renewed = new Set(added.map(({ project_id }) => project_id));
  return [...(stored?.invitations ?? []).filter(({ project_id }) => !renewed.has(project_id)), ...added];
}

/** Writes the invitations with the job that mails them. Returns `false` if the person's item has changed since the read. */
async function write(
  { table, now, manager }: Managing,
  body: InvitationBody,
  stored: InviteeItem | undefined,
): Promise<boolean> {
  const { email, first_name, last_name } = body;
  const projects = body.projects.map(({ projectId, role }) => ({ project_id: projectId, role }));
  const mailedAt = new Map(stored?.invitations.map(({ project_id, mailed_at }) => [project_id, mailed_at]));
  const toMail = projects.filter(({ project_id }) => isMailDue(mailedAt.get(project_id), now));
  const added = projects.map((one) => ({
    ...one,
    invited_at: now.toISOString(),
    invited_by: manager.name,
    mailed_at: toMail.includes(one) ? now.toISOString() : mailedAt.get(one.project_id),
  }));
  const invitationId = newId('invitation');
  const mail: InvitationMail = {
    email,
    first_name,
    last_name,
    projects: toMail,
    invited_by: manager.name,
  };
  const key = invitationMails(invitationId);
  const job = newJob(key, { kind: 'send-invitation', about: invitationId }, now, { mail });
  return commit(table, [
    change(inviteeKey(email), (update: Update<typeof inviteeItem>) =>
      update
        .set(['email'], email)
        .set(['first_name'], first_name)
        .set(['last_name'], last_name)
        .set(['invitations'], withInvitations(stored, added))
        .set(['revision'], (stored?.revision ?? 0) + 1)
        .whenStill('revision', stored?.revision),
    ),
    ...(toMail.length > 0 ? [insert(key, job.insert)] : []),
  ]);
}

/**
 * Invites to all projects or none. A person's invitations are one item, and one transaction writes them with the job that mails them
 * (docs/management.md#management).
 */
export async function inviteUser(context: Managing, body: InvitationBody): Promise<void> {
  const { table, manager } = context;
  await retryOptimistically(table, async () => {
    // The item is read first. If the person becomes a user afterwards, the revision changes, and this write is refused.
    const stored = await table.get(inviteeKey(body.email), inviteeItem);
    // Projects and roles are never removed, so the read suffices.
    check(await lookUp(table, manager, body));
    return (await write(context, body, stored)) || again;
  });
}
