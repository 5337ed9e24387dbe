import * as v from 'valibot';
import { appKeyPointers, appKeysById } from '#kernel/access/projects/app-key.ts';
import {
  clientKeyPointers,
  clientKeysById,
  listClientKeys,
  maxOrigins,
  origin,
} from '#kernel/access/projects/client-key.ts';
import { listAppKeys } from '#kernel/access/projects/manage-app-keys.ts';
import {
  listManagementKeys,
  managementKeyPointers,
  managementKeysById,
} from '#kernel/access/projects/management-key.ts';
import { hashSecret } from '#kernel/access/projects/secret.ts';
import { described } from '#kernel/core/documented.ts';
import { dateTime, email, identifier, shortText } from '#kernel/core/schema.ts';
import { describeList, type FileList, refer } from '#kernel/kit/entries/list.ts';
import type { Draft, EntryFields, Reference } from '#kernel/kit/entries/traits.ts';
import type { Key } from '#kernel/table/keys.ts';
import type { Table } from '#kernel/table/table.ts';

/** Lists a project's keys, which no other project has. */

/** The token opens the project, so it must be long. */
const secret = v.optional(v.pipe(v.string(), v.minLength(20, 'must have at least 20 characters')));
/** Replaces the token in an exported file. */
const secretHash = v.optional(
  v.pipe(v.string(), v.regex(/^[\w-]{43}$/, 'must be a SHA-256 hash in base64url, as an exported file has it')),
);
const active = v.optional(v.boolean());

/** The fields that requests and operators have added to a key. An exported file has them, so that its keys load without a loss. */
const later = {
  next_token_hash: described(secretHash, 'The hash of the newer of two tokens.'),
  older_valid_until: described(v.optional(dateTime), 'The end of the older of two tokens.'),
  made_by: described(v.optional(email), 'The login of the user whose management key made the key.'),
  rotated_by: described(v.optional(email), 'The login of the user whose management key rotated the key last.'),
};

interface KeyKind {
  called: string;
  stage: 4 | 5;
  /** The fields of the id and the token. */
  id: string;
  token: string;
  references?: (entry: EntryFields) => readonly (readonly Reference[])[];
  keyOf: (id: string) => Key;
  /** Points from the project to the key. */
  pointerOf: (projectId: string, id: string) => Key;
  stored: (table: Table, projectId: string) => Promise<(EntryFields & { active: boolean })[]>;
}

function keyList<E extends EntryFields>(
  key: string,
  schema: v.GenericSchema<unknown, E> & { entries: v.ObjectEntries },
  { called, stage, id: idField, token, references, keyOf, pointerOf, stored }: KeyKind,
): FileList<E> {
  const hash = `${token}_hash`;
  return describeList(key, schema, {
    called,
    stage,
    names: [idField],
    ...(references ? { references } : {}),
    *rules({ [token]: clear, [hash]: hashed }) {
      const article = /^[aeiou]/.test(token) ? 'an' : 'a';
      if ((clear === undefined) === (hashed === undefined)) {
        yield ` must have either ${article} ${token} or ${article} ${hash}`;
      }
    },
    items(entry, { projectId, place }) {
      const { [token]: clear, [hash]: hashed, active, ...own }: EntryFields = entry;
      const id = String(own[idField]);
      const token_hash = hashed ?? hashSecret(String(clear));
      return [
        {
          key: keyOf(id),
          item: { ...own, active: active ?? true, token_hash, project_id: projectId },
          // A file without `active` does not switch a key on again.
          once: active === undefined ? ['active'] : [],
          fixed: { project_id: `${place} has the id of a key of another project` },
          // The pointer is written with the key, so that the project finds each of its keys.
          claims: [{ key: pointerOf(projectId, id), item: { id } }],
        },
      ];
    },
    async elsewhere(table, projectId) {
      const found = await stored(table, projectId);
      return found.map(({ token_hash, project_id, active, ...own }): Draft => {
        return { ...own, [hash]: token_hash, ...(active ? {} : { active }) };
      });
    },
  });
}

export const managementKeyEntries = keyList(
  'management_keys',
  v.object({
    management_id: identifier,
    management_token: secret,
    management_token_hash: secretHash,
    ...later,
    name: v.optional(shortText),
    login: described(
      v.optional(email),
      'Login of a user. The key acts for this user, and the role of the user limits it.',
    ),
    active,
  }),
  {
    called: 'management key',
    stage: 4,
    id: 'management_id',
    token: 'management_token',
    references: ({ login }) => [refer('login', 'users', typeof login === 'string' ? login : undefined)],
    keyOf: managementKeysById,
    pointerOf: managementKeyPointers,
    stored: listManagementKeys,
  },
);

export const clientKeyEntries = keyList(
  'client_keys',
  v.object({
    client_application_id: identifier,
    client_token: secret,
    client_token_hash: secretHash,
    ...later,
    name: shortText,
    origins: v.pipe(v.array(origin), v.maxLength(maxOrigins, `must have at most ${maxOrigins} origins`)),
    active,
  }),
  {
    called: 'client key',
    stage: 4,
    id: 'client_application_id',
    token: 'client_token',
    keyOf: clientKeysById,
    pointerOf: clientKeyPointers,
    stored: listClientKeys,
  },
);

export const appKeyEntries = keyList(
  'app_keys',
  v.object({
    app_id: identifier,
    app_token: secret,
    app_token_hash: secretHash,
    ...later,
    name: shortText,
    active,
  }),
  {
    called: 'app key',
    stage: 5,
    id: 'app_id',
    token: 'app_token',
    keyOf: appKeysById,
    pointerOf: appKeyPointers,
    stored: listAppKeys,
  },
);
