import * as v from 'valibot';
import { isOlderTokenOver, type TokenHolder } from '#kernel/access/projects/app-key.ts';
import { listClientKeys, maxOrigins, origin } from '#kernel/access/projects/client-key.ts';
import { listAppKeys } from '#kernel/access/projects/manage-app-keys.ts';
import {
  appKeys,
  clientKeys,
  createKey,
  type KeySort,
  managementKeys,
  rotateKey,
  switchOffKey,
} from '#kernel/access/projects/manage-keys.ts';
import { listManagementKeys } from '#kernel/access/projects/management-key.ts';
import { findProject } from '#kernel/access/projects/project.ts';
import { newSecret } from '#kernel/access/projects/secret.ts';
import { deriveUserId } from '#kernel/access/users/account.ts';
import type { Manager } from '#kernel/access/users/manager.ts';
import { managedProjectOr404 } from '#kernel/access/users/manager.ts';
import { ownerRole } from '#kernel/access/users/roles.ts';
import { described, named } from '#kernel/core/documented.ts';
import { notFound, ServiceError } from '#kernel/core/errors.ts';
import { array, dateTime, identifier, listEnvelope, object, shortText, text, wrapList } from '#kernel/core/schema.ts';
import type { Managing } from '#kernel/http/context.ts';
import type { Table } from '#kernel/table/table.ts';
import { projectUsers } from './user.ts';

/** Manages the keys of a project over the interface. */

const types = ['SERVER', 'CLIENT', 'MANAGEMENT'] as const;

type KeyType = (typeof types)[number];

const sorts: Readonly<Record<KeyType, KeySort & { prefix: string }>> = {
  SERVER: { ...appKeys, prefix: 'app_' },
  CLIENT: { ...clientKeys, prefix: 'client_' },
  MANAGEMENT: { ...managementKeys, prefix: 'mgmt_' },
};

export const createKeyBody = v.pipe(
  object({
    type: described(
      v.picklist(types),
      'SERVER opens the paths for servers, CLIENT the paths for web pages, and MANAGEMENT the paths for operators of this project.',
    ),
    name: described(v.pipe(shortText, identifier), 'The name of the key, for people.'),
    origins: described(
      v.optional(array(origin, maxOrigins, 'origins')),
      'Pages that may use the key, besides the trusted domains of the project. Only for CLIENT.',
    ),
  }),
  v.forward(
    v.check(
      ({ type, origins }) => type === 'CLIENT' || origins === undefined,
      'must be left out: only CLIENT accepts it',
    ),
    ['origins'],
  ),
);

export const rotateKeyBody = object({
  older_token_valid_until: described(
    v.optional(dateTime),
    'The end of the older token. By default it works for 24 hours more.',
  ),
});

const keyMaker = named(
  'KeyMaker',
  v.object({
    login: described(text, 'The e-mail address of the user in lower case.'),
    is_owner: described(
      v.boolean(),
      'Whether the user is an owner of the project now. If not, revoke the key, or rotate it and end its older token.',
    ),
  }),
);

const shownKey = {
  id: described(text, 'The id that callers send with the token.'),
  type: v.picklist(types),
  name: v.optional(text),
  active: v.boolean(),
  origins: v.optional(v.array(text)),
  valid_tokens: described(v.picklist([0, 1, 2]), 'The number of tokens that work.'),
  older_token_valid_until: described(v.optional(dateTime), 'The end of the older of two tokens.'),
  login: described(
    v.optional(text),
    'The login of the user that a management key acts for. The role of this user limits the key.',
  ),
  made_by: described(
    v.optional(keyMaker),
    'The user whose management key made the key, and who knows its first token.',
  ),
  rotated_by: described(v.optional(keyMaker), 'The user whose management key rotated the key last.'),
  object: v.literal('project_key'),
};

const projectKey = named('ProjectKey', v.object(shownKey));

export const projectKeyWithToken = named(
  'ProjectKeyWithToken',
  v.object({ ...shownKey, token: described(text, 'The new token. It is shown only once.') }),
);

export type ProjectKey = v.InferOutput<typeof projectKey>;

export const projectKeyList = listEnvelope(projectKey);

interface StoredKey extends TokenHolder {
  readonly name?: string | undefined;
  readonly origins?: string[] | undefined;
  readonly login?: string | undefined;
  readonly made_by?: string | undefined;
  readonly rotated_by?: string | undefined;
}

type Roles = Readonly<Record<string, string>>;

function rolesOf({ user }: Manager): Roles {
  return user ? { [user.id]: user.role } : {};
}

function showMaker(login: string, roles: Roles): v.InferOutput<typeof keyMaker> {
  return { login, is_owner: roles[deriveUserId(login)] === ownerRole };
}

function show(type: KeyType, id: string, key: StoredKey, { now, roles }: { now: Date; roles: Roles }): ProjectKey {
  const hasTwo = key.next_token_hash !== undefined && !isOlderTokenOver(key, now);
  const end = hasTwo ? key.older_valid_until : undefined;
  return {
    id,
    type,
    ...(key.name === undefined ? {} : { name: key.name }),
    active: key.active,
    ...(key.origins === undefined ? {} : { origins: key.origins }),
    valid_tokens: key.active ? (hasTwo ? 2 : 1) : 0,
    ...(end === undefined ? {} : { older_token_valid_until: end }),
    ...(key.login === undefined ? {} : { login: key.login }),
    ...(key.made_by === undefined ? {} : { made_by: showMaker(key.made_by, roles) }),
    ...(key.rotated_by === undefined ? {} : { rotated_by: showMaker(key.rotated_by, roles) }),
    object: 'project_key',
  };
}

async function readKeys(table: Table, projectId: string, now: Date): Promise<ProjectKey[]> {
  const [users, server, client, management] = await Promise.all([
    table.get(projectUsers(projectId), projectUsers(projectId).schema),
    listAppKeys(table, projectId),
    listClientKeys(table, projectId),
    listManagementKeys(table, projectId),
  ]);
  const seen = { now, roles: users?.roles ?? {} };
  return [
    ...server.map((key) => show('SERVER', key.app_id, key, seen)),
    ...client.map((key) => show('CLIENT', key.client_application_id, key, seen)),
    ...management.map((key) => show('MANAGEMENT', key.management_id, key, seen)),
  ];
}

export async function listProjectKeys(context: Managing, projectId: string) {
  const { id } = await managedProjectOr404(context, projectId);
  return wrapList(await readKeys(context.table, id, context.now));
}

async function keyOr404({ table, now }: Managing, projectId: string, keyId: string): Promise<ProjectKey> {
  const key = (await readKeys(table, projectId, now)).find(({ id }) => id === keyId);
  if (!key) throw notFound('project_key', keyId);
  return key;
}

const maxKeys = 100;

/** Returns the maker of a key. A user's management key acts for that user: a token must not outlive its maker's role. */
function signedBy(type: KeyType, { user }: Manager): Pick<StoredKey, 'login' | 'made_by'> {
  if (!user) return {};
  return { made_by: user.login, ...(type === 'MANAGEMENT' ? { login: user.login } : {}) };
}

/** Rejects a key that no page could use. Reads the stored project, because another container may have changed its domains a moment ago. */
async function checkTrustedDomains(table: Table, projectId: string): Promise<void> {
  const project = await findProject(table, projectId);
  if (project && project.trustedDomains.length > 0) return;
  const details =
    'origins must name a page, such as https://shop.example, because the project has no client_trusted_domains and no page could use the key';
  throw new ServiceError('invalid_payload', { details });
}

/** Creates a key with a token, which this reply alone shows. */
export async function createProjectKey(
  context: Managing,
  projectId: string,
  { type, name, origins = [] }: v.InferOutput<typeof createKeyBody>,
) {
  const { id: project } = await managedProjectOr404(context, projectId);
  const { table, now, manager } = context;
  if (type === 'CLIENT' && origins.length === 0) await checkTrustedDomains(table, project);
  if ((await readKeys(table, project, now)).filter(({ active }) => active).length >= maxKeys) {
    const details = `the project has ${maxKeys} keys that are on: revoke one first`;
    throw new ServiceError('too_many_resources', { details });
  }
  const sort = sorts[type];
  const id = sort.prefix + newSecret().slice(0, 22);
  const fields = { name, ...(type === 'CLIENT' ? { origins } : {}), ...signedBy(type, manager) };
  const token = await createKey(table, sort, { projectId: project, id, fields });
  return { ...show(type, id, { ...fields, token_hash: '', active: true }, { now, roles: rolesOf(manager) }), token };
}

const dayInMs = 86_400_000;

interface Place {
  readonly projectId: string;
  readonly keyId: string;
}

/** Refuses to give a user the token of a management key that acts for another user, or that no role limits. */
function checkRotation({ type, login }: ProjectKey, { user }: Manager): void {
  if (!user || type !== 'MANAGEMENT' || login === user.login) return;
  throw new ServiceError('forbidden', {
    details:
      'the management key does not act for the user of your key: create a management key, and revoke the present key',
  });
}

/** Gives the key a second token, which this reply alone shows. The older token works until its end. */
export async function rotateProjectKey(
  context: Managing,
  { projectId, keyId }: Place,
  { older_token_valid_until: sent }: v.InferOutput<typeof rotateKeyBody>,
) {
  const { table, now, manager } = context;
  const { id: project } = await managedProjectOr404(context, projectId);
  const { older_token_valid_until: _, rotated_by: __, ...key } = await keyOr404(context, project, keyId);
  checkRotation(key, manager);
  const until = sent === undefined ? new Date(now.getTime() + dayInMs) : new Date(sent);
  const token = await rotateKey(table, sorts[key.type], { id: keyId, now, until, by: manager.user?.login });
  // Nothing is read after the write, because a failed read would hide the token.
  const left = until > now ? { valid_tokens: 2 as const, older_token_valid_until: until.toISOString() } : {};
  const by = manager.user && { rotated_by: showMaker(manager.user.login, rolesOf(manager)) };
  return { ...key, valid_tokens: 1 as const, ...left, ...by, token };
}

/** Switches the key off permanently, with both of its tokens and with the bearer tokens that it requested. */
export async function revokeProjectKey(context: Managing, { projectId, keyId }: Place): Promise<void> {
  const { id: project } = await managedProjectOr404(context, projectId);
  const { type } = await keyOr404(context, project, keyId);
  await switchOffKey(context.table, sorts[type], keyId);
}
