import * as v from 'valibot';
import { clientSwitches } from '#kernel/access/projects/client-switches.ts';
import { decimalsOfSent } from '#kernel/access/projects/currency.ts';
import { listProjectIds } from '#kernel/access/projects/list-projects.ts';
import { appKeys, clientKeys, planKey } from '#kernel/access/projects/manage-keys.ts';
import { listedProjects } from '#kernel/access/projects/project.ts';
import { newSecret } from '#kernel/access/projects/secret.ts';
import { webhookSecrets } from '#kernel/access/projects/webhook-secrets.ts';
import type { Manager } from '#kernel/access/users/manager.ts';
import { canManage } from '#kernel/access/users/manager.ts';
import { described } from '#kernel/core/documented.ts';
import { notFound, ServiceError } from '#kernel/core/errors.ts';
import { newId } from '#kernel/core/ids.ts';
import { identifier, object, wrapList } from '#kernel/core/schema.ts';
import type { Managing } from '#kernel/http/context.ts';
import { newJob } from '#kernel/kit/jobs/job.ts';
import { again, retryOptimistically } from '#kernel/table/conflicts.ts';
import { change, commit, type Effect, insert, remove } from '#kernel/table/effects.ts';
import { parseStored } from '#kernel/table/item.ts';
import { sharedKind } from '#kernel/table/kind.ts';
import { kinds } from '#kernel/table/kind-names.ts';
import { read } from '#kernel/table/read.ts';
import type { Table } from '#kernel/table/table.ts';
import type { Update } from '#kernel/table/update.ts';
import { checkFirstRoles, firstUsers, planFirstUsers } from './first-users.ts';
import {
  caseSensitive,
  changeable,
  neededSettings,
  projectName,
  sentSettings,
  sentSwitches,
} from './project-settings.ts';
import {
  type FullItem,
  fullItem,
  type ManagedProject,
  managedProjects,
  ownCluster,
  showProject,
} from './show-project.ts';

/** Creates, shows, changes and deletes projects. */

export const createProjectBody = object({
  ...changeable,
  name: described(projectName, 'The name of the project. Unique among projects that requests name.'),
  case_sensitive_codes: caseSensitive,
  timezone: described(neededSettings.timezone, 'Time zone (IANA) in which days and hours are counted.'),
  currency: described(neededSettings.currency, 'Currency (ISO 4217) of all amounts.'),
  cluster_id: described(
    v.optional(identifier),
    `The deployment is one cluster, \`${ownCluster}\`. The name of any other cluster has no effect.`,
  ),
  users: firstUsers,
});

export const updateProjectBody = object({
  ...changeable,
  name: described(v.optional(projectName), 'The name of the project. Unique among projects that requests name.'),
});

type Body = v.InferOutput<typeof updateProjectBody>;

/** Finds the project of a name that a request gave. */
const projectsByName = sharedKind(kinds.projectName);

interface NameClaim {
  readonly project_id: string;
  readonly name: string;
}

/** Jobs that delete a project are stored outside its partitions. */
export const projectDeletions = sharedKind(kinds.projectDeletion, kinds.job);

function nameTaken(name: string): ServiceError {
  const details = 'another project has this name: send another name';
  return new ServiceError('duplicate_found', { details, resource: { id: name, type: 'project' } });
}

function claimName(name: string, projectId: string): Effect {
  return insert(projectsByName(name), { project_id: projectId, name }, () => nameTaken(name));
}

function releaseName(name: string | undefined, projectId: string): Effect[] {
  if (name === undefined) return [];
  return [remove(projectsByName(name), (update: Update<NameClaim>) => update.whenStill('project_id', projectId))];
}

/** Creates a project with a key for servers and a key for pages, whose tokens only this reply shows. */
export async function createProject(
  { table, now, manager }: Managing,
  { case_sensitive_codes, cluster_id: _, users, ...body }: v.InferOutput<typeof createProjectBody>,
) {
  if (manager.projectId !== undefined) {
    const details =
      'a management key of one project creates no others: use a key for all projects, which operators create';
    throw new ServiceError('forbidden', { details });
  }
  checkFirstRoles(users);
  const id = newId('project');
  const item = {
    id,
    name: body.name,
    claimed_name: body.name,
    features: {},
    client: v.parse(clientSwitches, sentSwitches(body)),
    ...sentSettings(body),
    ...decimalsOfSent(body),
    case_sensitive_codes,
    secret: newSecret(),
    created_at: now.toISOString(),
  };
  const server = { projectId: id, id: `app_${newSecret().slice(0, 22)}`, fields: { name: 'Server' } };
  const client = { projectId: id, id: `client_${newSecret().slice(0, 22)}`, fields: { name: 'Pages', origins: [] } };
  const [serverKey, clientKey] = [planKey(appKeys, server), planKey(clientKeys, client)];
  const effects = [
    insert(managedProjects(id), item),
    insert(listedProjects.at(id), { project_id: id }),
    claimName(body.name, id),
    ...serverKey.effects,
    ...clientKey.effects,
  ];
  await retryOptimistically(table, async () => {
    const ofUsers = await planFirstUsers(table, id, users);
    return (await commit(table, [...effects, ...ofUsers])) || again;
  });
  return {
    ...showProject(v.parse(fullItem, item), { manager, now }),
    server_side_key: { app_id: server.id, app_token: serverKey.token },
    client_side_key: { app_id: client.id, app_token: clientKey.token },
  };
}

/** Lists the projects of the manager by id. */
export async function listManagedProjects(context: Managing) {
  const { table, manager } = context;
  const ids = (await listProjectIds(table)).filter((id) => canManage(manager, id));
  const [items, { secrets }] = await Promise.all([
    table.getMany(ids.map((id) => managedProjects(id))),
    read(table, { secrets: ids.map((id) => webhookSecrets(id)) }),
  ]);
  return wrapList(
    items.flatMap((item, index) => (item ? [showProject(parseStored(fullItem, item), context, secrets[index])] : [])),
  );
}

async function findOr404(table: Table, manager: Manager, id: string): Promise<FullItem> {
  const item = canManage(manager, id) ? await table.get(managedProjects(id), fullItem) : undefined;
  if (!item) throw notFound('project', id);
  return item;
}

export async function getManagedProject(context: Managing, id: string): Promise<ManagedProject> {
  const { table, manager } = context;
  const [item, { secrets }] = await Promise.all([
    findOr404(table, manager, id),
    read(table, { secrets: webhookSecrets(id) }),
  ]);
  return showProject(item, context, secrets);
}

/** Changes the sent settings. A new name is claimed, and the earlier name becomes free. */
export async function updateProject({ table, manager, now, credentials }: Managing, id: string, body: Body) {
  return retryOptimistically(table, async () => {
    const [before, { secrets }] = await Promise.all([
      findOr404(table, manager, id),
      read(table, { secrets: webhookSecrets(id) }),
    ]);
    const { name = before.name } = body;
    const isRenamed = name !== before.name;
    const settings = { ...sentSettings(body), ...decimalsOfSent(body, before) };
    const client = { ...before.client, ...sentSwitches(body) };
    const claimed_name = isRenamed ? name : before.claimed_name;
    const after = { ...before, ...settings, name, client, updated_at: now.toISOString() };
    const updated = change(managedProjects(id), (update) => {
      update
        .whenThere()
        .whenStill('name', before.name)
        .whenStill('currency', before.currency)
        .set(['updated_at'], after.updated_at);
      update.setAll(settings);
      for (const [own, value] of Object.entries(sentSwitches(body))) update.set(['client', own], value);
      return isRenamed ? update.set(['name'], name).set(['claimed_name'], claimed_name) : update;
    });
    const names = isRenamed ? [claimName(name, id), ...releaseName(before.claimed_name, id)] : [];
    if (!(await commit(table, [updated, ...names]))) return again;
    credentials.forgetProject(id);
    return showProject(v.parse(fullItem, after), { manager, now }, secrets);
  });
}

/**
 * Puts a tombstone on the project, so that its keys are refused from now on, and starts the job that deletes
 * everything. The tombstone is never removed, because the id of the project defines the meaning of its keys in the
 * table.
 */
export async function deleteProject({ table, manager, now, credentials }: Managing, id: string): Promise<void> {
  await retryOptimistically(table, async () => {
    const before = await findOr404(table, manager, id);
    const key = projectDeletions(id);
    const job = newJob(key, { kind: 'delete-project', about: id, project_id: id }, now, { pass: 0, deleted_count: 0 });
    const buried = change(managedProjects(id), (update) =>
      update.whenThere().whenStill('claimed_name', before.claimed_name).set(['deleted_at'], now.toISOString()),
    );
    const effects = [buried, insert(key, job.insert), ...releaseName(before.claimed_name, id)];
    return (await commit(table, effects)) || again;
  });
  // The local server has a single container, so that it refuses immediately.
  credentials.forgetProject(id);
}
