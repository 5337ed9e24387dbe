import * as v from 'valibot';
import { detailsOf, notFound, ServiceError } from '../../core/errors.ts';
import { newId } from '../../core/ids.ts';
import type { Manager, Managing } from '../../http/context.ts';
import { features, projectsById } from '../../http/projects/project.ts';
import { newJob } from '../../kit/jobs/job.ts';
import { retryOptimistically } from '../../table/conflicts.ts';
import { change, commit, insert } from '../../table/effects.ts';
import { parseStored } from '../../table/item.ts';
import type { Table } from '../../table/table.ts';
import {
  type InvitationBody,
  type InvitationMail,
  type Invited,
  type InviteeItem,
  invitationMails,
  invitee,
  inviteeItem,
} from './invitation.ts';
import { mayManage } from './manager.ts';
import { role as customRole } from './resource.ts';
import { builtInRoles, roleFault } from './role.ts';
import { userOf } from './user.ts';

const projectFeatures = v.object({ features: v.optional(features, {}) });

/** What an invitation asks of one project, and what is there. */
interface Asked extends Invited {
  /** `undefined`: no such project, or none that the manager may see. */
  project: { hasAreasAndStores: boolean; hasCustomRole: boolean } | undefined;
  isUser: boolean;
}

async function lookUp(table: Table, manager: Manager, { email, projects }: InvitationBody): Promise<Asked[]> {
  const managed = projects.filter(({ projectId }) => mayManage(manager, projectId));
  const custom = managed.filter(({ role }) => !builtInRoles.includes(role));
  const found = await table.getMany([
    ...managed.map(({ projectId }) => projectsById(projectId)),
    ...managed.map(({ projectId }) => userOf(projectId, email)),
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

/** Stands for an unknown project: it has no roles of its own, and allows the built-in ones. */
const noProject = { hasAreasAndStores: true, hasCustomRole: false };

/** A wrong role is refused before an unknown project: it has a key of its own. */
function check(asked: readonly Asked[]): void {
  const wrongRoles = asked.flatMap(({ projectId, role, project }) => {
    const fault = roleFault(role, project ?? noProject);
    return fault === undefined ? [] : [`projects.${projectId}: ${fault}`];
  });
  if (wrongRoles.length > 0) throw new ServiceError('used_incorrect_role', { details: detailsOf(wrongRoles) });
  const unknown = asked.find(({ project }) => project === undefined);
  if (unknown) throw notFound('project', unknown.projectId);
  const joined = asked.filter(({ isUser }) => isUser);
  const [first] = joined;
  if (first) {
    throw new ServiceError('duplicate_found', {
      details: detailsOf(
        joined.map(({ projectId }) => `projects.${projectId}: email is that of a user of this project`),
      ),
      resource: { id: first.projectId, type: 'project' },
    });
  }
}

/** A person gets at most one mail an hour about a project, however often they are invited. */
const mailPauseInMs = 3_600_000;

function isMailDue(mailedAt: string | undefined, now: Date): boolean {
  return mailedAt === undefined || now.getTime() - Date.parse(mailedAt) >= mailPauseInMs;
}

/** One invitation for each project, the latest. */
function withInvitations(
  stored: InviteeItem | undefined,
  added: InviteeItem['invitations'],
): InviteeItem['invitations'] {
  const renewed = new Set(added.map(({ project_id }) => project_id));
  return [...(stored?.invitations ?? []).filter(({ project_id }) => !renewed.has(project_id)), ...added];
}

/** `false`: the person's item is no longer as it was read. */
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
    change(invitee(email), (update) =>
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
 * Invites to all projects or none, whatever their number: a person's invitations are one item, written in one transaction with
 * the job that mails them. See docs/management.md#management.
 */
export async function inviteUser(context: Managing, body: InvitationBody): Promise<void> {
  const { table, manager } = context;
  await retryOptimistically(table, async () => {
    // Read before anything else: whoever becomes a user after this moves the revision, and this write is refused.
    const stored = await table.get(invitee(body.email), inviteeItem);
    // Projects and roles are never removed, so that to have seen them is enough.
    check(await lookUp(table, manager, body));
    return (await write(context, body, stored)) || undefined;
  });
}
