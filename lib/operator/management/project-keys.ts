import * as v from 'valibot';
import { described, named } from '../../core/documented.ts';
import { notFound, ServiceError } from '../../core/errors.ts';
import { array, dateTime, identifier, listEnvelope, object, shortText, text, wrapList } from '../../core/schema.ts';
import type { Managing } from '../../http/context.ts';
import { isOlderTokenOver, type TokenHolder } from '../../http/projects/app-key.ts';
import { listClientKeys, maxOrigins, origin } from '../../http/projects/client-key.ts';
import { listAppKeys } from '../../http/projects/manage-app-keys.ts';
import {
  appKeys,
  clientKeys,
  createKey,
  type KeySort,
  managementKeys,
  rotateKey,
  switchOffKey,
} from '../../http/projects/manage-keys.ts';
import { listManagementKeys } from '../../http/projects/management-key.ts';
import { newSecret } from '../../http/projects/secret.ts';
import type { Table } from '../../table/table.ts';
import { managedProjectOr404 } from './manager.ts';

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
      'must be left out: only CLIENT takes it',
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

const shownKey = {
  id: described(text, 'The id that callers send with the token.'),
  type: v.picklist(types),
  name: v.optional(text),
  active: v.boolean(),
  origins: v.optional(v.array(text)),
  valid_tokens: described(v.picklist([0, 1, 2]), 'The number of tokens that work.'),
  older_token_valid_until: described(v.optional(dateTime), 'The end of the older of two tokens.'),
  object: v.literal('project_key'),
};

export const projectKey = named('ProjectKey', v.object(shownKey));

export const projectKeyWithToken = named(
  'ProjectKeyWithToken',
  v.object({ ...shownKey, token: described(text, 'The new token. It is shown only once.') }),
);

export type ProjectKey = v.InferOutput<typeof projectKey>;

export const projectKeyList = listEnvelope(projectKey);

interface StoredKey extends TokenHolder {
  readonly name?: string | undefined;
  readonly origins?: string[] | undefined;
}

function show(type: KeyType, id: string, key: StoredKey, now: Date): ProjectKey {
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
    object: 'project_key',
  };
}

async function readKeys(table: Table, projectId: string, now: Date): Promise<ProjectKey[]> {
  const [server, client, management] = await Promise.all([
    listAppKeys(table, projectId),
    listClientKeys(table, projectId),
    listManagementKeys(table, projectId),
  ]);
  return [
    ...server.map((key) => show('SERVER', key.app_id, key, now)),
    ...client.map((key) => show('CLIENT', key.client_application_id, key, now)),
    ...management.map((key) => show('MANAGEMENT', key.management_id, key, now)),
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

/** Creates a key with a token, which this reply alone shows. */
export async function createProjectKey(
  context: Managing,
  projectId: string,
  { type, name, origins = [] }: v.InferOutput<typeof createKeyBody>,
) {
  const { id: project } = await managedProjectOr404(context, projectId);
  const { table, now } = context;
  if ((await readKeys(table, project, now)).filter(({ active }) => active).length >= maxKeys) {
    const details = `the project has ${maxKeys} keys that are on: revoke one first`;
    throw new ServiceError('too_many_resources', { details });
  }
  const sort = sorts[type];
  const id = sort.prefix + newSecret().slice(0, 22);
  const fields = { name, ...(type === 'CLIENT' ? { origins } : {}) };
  const token = await createKey(table, sort, { projectId: project, id, fields });
  return { ...show(type, id, { ...fields, token_hash: '', active: true }, now), token };
}

const dayInMs = 86_400_000;

interface Place {
  readonly projectId: string;
  readonly keyId: string;
}

/** Gives the key a second token, which this reply alone shows. The older token works until its end. */
export async function rotateProjectKey(
  context: Managing,
  { projectId, keyId }: Place,
  { older_token_valid_until: sent }: v.InferOutput<typeof rotateKeyBody>,
) {
  const { table, now } = context;
  const { id: project } = await managedProjectOr404(context, projectId);
  const { older_token_valid_until: _, ...key } = await keyOr404(context, project, keyId);
  const until = sent === undefined ? new Date(now.getTime() + dayInMs) : new Date(sent);
  const token = await rotateKey(table, sorts[key.type], { id: keyId, now, until });
  // Nothing is read after the write, because a failed read would hide the token.
  const left = until > now ? { valid_tokens: 2 as const, older_token_valid_until: until.toISOString() } : {};
  return { ...key, valid_tokens: 1 as const, ...left, token };
}

/** Switches the key off for ever, with both of its tokens and with the bearer tokens that it asked for. */
export async function revokeProjectKey(context: Managing, { projectId, keyId }: Place): Promise<void> {
  const { id: project } = await managedProjectOr404(context, projectId);
  const { type } = await keyOr404(context, project, keyId);
  await switchOffKey(context.table, sorts[type], keyId);
}
