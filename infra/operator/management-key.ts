import { randomBytes } from 'node:crypto';
import {
  createKey,
  createManagementKeyOfAll,
  managementKeys,
  retireOlderToken,
  rotateKey,
  switchOffKey,
  takenKey,
} from '#kernel/access/projects/manage-keys.ts';
import {
  findManagementKey,
  listManagementKeys,
  listManagementKeysOfAll,
} from '#kernel/access/projects/management-key.ts';
import { findProject } from '#kernel/access/projects/project.ts';
import { notFound } from '#kernel/core/errors.ts';
import {
  allProjectsOption,
  buildOffVerb,
  findEnd,
  keyOptions,
  onlyOnce,
  printRotation,
  printToken,
  runKeyCommand,
  type Verb,
} from './key-command.ts';

const usage = `Manages management keys: of a project, or of all projects.

  npm run management-key -- create PROJECT --name NAME [--id ID] [--dry-run]
      Creates a key of a project and prints its token, only once. Only the hash of the token is stored.

  npm run management-key -- create --all-projects --name NAME [--id ID] [--dry-run]
      Creates a key that manages all projects, and creates new projects.

  npm run management-key -- rotate MANAGEMENT_ID [--hours HOURS]
      Creates a second token and prints it, only once. Both tokens work, for these hours or until the older token is retired.

  npm run management-key -- retire MANAGEMENT_ID
      Ends the older of two tokens within 60 seconds.

  npm run management-key -- off MANAGEMENT_ID [--dry-run]
      Switches a key off within 60 seconds.

  npm run management-key -- list PROJECT
  npm run management-key -- list --all-projects
      Prints id, on or off, and "two tokens" if there are two, with tabs between them.
`;

const create: Verb['action'] = async ({ table }, { subject: projectId, allProjects, required, given, dryRun }) => {
  const sent = given('id');
  const id = sent ?? `mgmt_${randomBytes(12).toString('base64url')}`;
  const name = required('name');
  if (dryRun) {
    if (!(allProjects || (await findProject(table, projectId)))) throw notFound('project', projectId);
    if (await findManagementKey(table, id)) throw takenKey(managementKeys, id);
    const owner = allProjects ? 'all projects' : projectId;
    return `management key ${sent ?? 'with a random id'} of ${owner} can be created. Nothing was written.\n`;
  }
  const token = allProjects
    ? await createManagementKeyOfAll(table, { id, name })
    : await createKey(table, managementKeys, { projectId, id, fields: { name } });
  return printToken('id', id, token, onlyOnce);
};

const rotate: Verb['action'] = async ({ table, now }, { subject: id, given }) => {
  const until = findEnd(given('hours'), now);
  return printRotation('id', id, await rotateKey(table, managementKeys, { id, now, until }), until);
};

const retire: Verb['action'] = async ({ table }, { subject: id }) => {
  await retireOlderToken(table, managementKeys, id);
  return `the older token of ${id} stops working within 60 seconds\n`;
};

const list: Verb['action'] = async ({ table }, { subject: projectId, allProjects }) => {
  const keys = allProjects ? await listManagementKeysOfAll(table) : await listManagementKeys(table, projectId);
  return keys
    .map(({ management_id, active, next_token_hash: next }) => {
      const state = `${active ? 'on' : 'off'}${next === undefined ? '' : '\ttwo tokens'}`;
      return `${management_id}\t${state}\n`;
    })
    .join('');
};

await runKeyCommand(
  usage,
  { ...keyOptions, ...allProjectsOption },
  new Map([
    [
      'create',
      { action: create, about: 'PROJECT', options: ['name', 'id', 'all-projects', 'dry-run'], needs: ['name'] },
    ],
    ['rotate', { action: rotate, about: 'MANAGEMENT_ID', options: ['hours'] }],
    ['retire', { action: retire, about: 'MANAGEMENT_ID', options: [] }],
    [
      'off',
      buildOffVerb({
        type: 'management_key',
        about: 'MANAGEMENT_ID',
        find: findManagementKey,
        switchOff: (table, id) => switchOffKey(table, managementKeys, id),
      }),
    ],
    ['list', { action: list, about: 'PROJECT', options: ['all-projects'] }],
  ]),
);
