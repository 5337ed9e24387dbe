import { randomInt } from 'node:crypto';
import * as v from 'valibot';
import { pause } from '../conflicts.ts';
import { parseStored, type Table } from '../dynamodb.ts';
import { detailsOf, notFound, ServiceError } from '../errors.ts';
import { newId } from '../ids.ts';
import { features } from '../projects/project.ts';
import { keys } from '../table.ts';
import { UpdateExpression } from '../update-expression.ts';
import {
  type InvitationBody,
  type InvitationMailItem,
  type Invited,
  type InviteeItem,
  inviteeItem,
} from './invitation.ts';
import { type ManagementContext, type Manager, mayManage } from './manager.ts';
import { builtInRoles, roleFault } from './role.ts';

/** Of several invitations of one person at once, one wins each round. */
const maxRounds = 40;
const longestPauseInMs = 100;

const projectFeatures = v.object({ features: v.optional(features, {}) });

/** What an invitation asks of one project, and what is there. */
interface Asked extends Invited {
  /** `undefined`: there is no such project, or none that the manager may see. */
  project: { hasAreasAndStores: boolean; hasCustomRole: boolean } | undefined;
  isUser: boolean;
}

async function lookUp(table: Table, manager: Manager, { email, projects }: InvitationBody): Promise<Asked[]> {
  const managed = projects.filter(({ projectId }) => mayManage(manager, projectId));
  const custom = managed.filter(({ role }) => !builtInRoles.includes(role));
  const found = await table.getMany([
    ...managed.map(({ projectId }) => keys.project(projectId)),
    ...managed.map(({ projectId }) => keys.user(projectId, email)),
    ...custom.map(({ projectId, role }) => keys.role(projectId, role)),
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

/** Ruling G.2; a wrong role first, as the contract has a key for it. */
function check(asked: readonly Asked[]): void {
  const wrongRoles = asked.flatMap(({ projectId, role, project }) => {
    const fault = project && roleFault(role, project);
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

/** The person's invitations with these: a project has one, the latest. */
function withInvitations(
  stored: InviteeItem | undefined,
  added: InviteeItem['invitations'],
): InviteeItem['invitations'] {
  const renewed = new Set(added.map(({ project_id }) => project_id));
  return [...(stored?.invitations ?? []).filter(({ project_id }) => !renewed.has(project_id)), ...added];
}

/** `false`: the person's item is no longer as it was read. */
async function write(
  { table, now, manager }: ManagementContext,
  body: InvitationBody,
  stored: InviteeItem | undefined,
): Promise<boolean> {
  const { email, first_name, last_name } = body;
  const projects = body.projects.map(({ projectId, role }) => ({ project_id: projectId, role }));
  const added = projects.map((one) => ({ ...one, invited_at: now.toISOString(), invited_by: manager.name }));
  const invitationId = newId('invitation');
  const mail: InvitationMailItem = {
    invitation_id: invitationId,
    email,
    first_name,
    last_name,
    projects,
    invited_by: manager.name,
  };
  const change = new UpdateExpression()
    .set(['email'], email)
    .set(['first_name'], first_name)
    .set(['last_name'], last_name)
    .set(['invitations'], withInvitations(stored, added))
    .set(['revision'], (stored?.revision ?? 0) + 1)
    .whenStill('revision', stored?.revision)
    .build();
  const { done } = await table.transact([
    { key: keys.invitee(email), change },
    { key: keys.invitationMail(invitationId), insert: mail },
  ]);
  return done;
}

/**
 * Contract, endpoint 10. All projects or none, whatever their number: the invitations of a person are one item, written
 * in one transaction with the order to mail them.
 */
export async function inviteUser(context: ManagementContext, body: InvitationBody): Promise<void> {
  const { table, manager } = context;
  for (let round = 0; round < maxRounds; round++) {
    if (round > 0) await pause(randomInt(1, Math.min(longestPauseInMs, 2 ** round * 2) + 1));
    // Read before anything else: whoever becomes a user after this moves the revision, and this write is refused.
    const stored = await table.get(keys.invitee(body.email), inviteeItem);
    // Projects and roles are never removed, so that to have seen them is enough.
    check(await lookUp(table, manager, body));
    if (await write(context, body, stored)) return;
  }
  throw new Error('the invitations of one person kept changing');
}
