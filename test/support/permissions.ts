import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { FileRight } from '#kernel/core/files/access.ts';
import { type Files, fileAreas } from '#kernel/core/files/files.ts';
import { closedKeys, type TableGrant } from '../../infra/aws/table-grants.ts';
import { observed } from './commands.ts';

/** One of IAM's actions on a table, or an index as `index/<name>`. */
export type Permission = string;

const actionOfTransactionPart: Readonly<Record<string, Permission>> = {
  Get: 'dynamodb:GetItem',
  Put: 'dynamodb:PutItem',
  Update: 'dynamodb:UpdateItem',
  Delete: 'dynamodb:DeleteItem',
  ConditionCheck: 'dynamodb:ConditionCheckItem',
};

/** Simultaneous reads join into one call, so timing decides which of the two is used. */
const get = ['dynamodb:GetItem', 'dynamodb:BatchGetItem'];

const actionsOfCommand: Readonly<Record<string, readonly Permission[]>> = {
  GetCommand: get,
  BatchGetCommand: get,
  QueryCommand: ['dynamodb:Query'],
  ScanCommand: ['dynamodb:Scan'],
  PutCommand: ['dynamodb:PutItem'],
  UpdateCommand: ['dynamodb:UpdateItem'],
  DeleteCommand: ['dynamodb:DeleteItem'],
};

interface Keyed {
  Key?: { pk?: unknown };
  Item?: { pk?: unknown };
}

interface Sent {
  readonly name: string;
  readonly input: Keyed & {
    IndexName?: string;
    RequestItems?: Readonly<Record<string, { Keys?: readonly { pk?: unknown }[] }>>;
    TransactItems?: readonly Record<string, Keyed>[];
    Statements?: readonly { Statement?: string }[];
  };
}

/** Returns the permissions that IAM requires for a command. A transaction needs all permissions of its parts. */
function permissionsFor({ name, input }: Sent): Permission[] {
  const parts = input.TransactItems?.map((item) => actionOfTransactionPart[Object.keys(item)[0] ?? '']);
  const statements = input.Statements?.map(({ Statement }) =>
    Statement?.startsWith('INSERT ') ? 'dynamodb:PartiQLInsert' : undefined,
  );
  const actions = parts ?? statements ?? actionsOfCommand[name] ?? [undefined];
  const needed = [...actions, ...(input.IndexName === undefined ? [] : [`index/${input.IndexName}`])];
  return needed.map((permission) => {
    if (permission === undefined)
      throw new Error(`which permission does a ${name} need? See test/support/permissions.ts`);
    return permission;
  });
}

/** Returns the partition keys of the items that a command names. */
function partitionKeysOf({ input }: Sent): string[] {
  const parts = (input.TransactItems ?? []).flatMap((part) => Object.values(part));
  const gets = Object.values(input.RequestItems ?? {}).flatMap(({ Keys = [] }) => Keys);
  const named = [input, ...parts].flatMap(({ Key, Item }) => [Key, Item]);
  return [...named, ...gets].flatMap((key) => (typeof key?.pk === 'string' ? key.pk : []));
}

/** Returns whether the function may do it to the table. */
export function allows({ actions, indexes = [] }: TableGrant, permission: Permission): boolean {
  return [...actions.map((action) => `dynamodb:${action}`), ...indexes.map((name) => `index/${name}`)].includes(
    permission,
  );
}

const verbs = { put: 's3:PutObject', read: 's3:GetObject', remove: 's3:DeleteObject', list: 's3:ListBucket' } as const;

/** Returns the action that IAM requires for a right to files. */
export function fileActionFor(right: FileRight): string {
  const [verb = '', area = ''] = right.split(' ');
  // The bucket is listed as a whole, and the prefix is a condition.
  if (verb === 'list') return `${verbs.list} `;
  return `${verbs[verb as keyof typeof verbs]} /${area}/*`;
}

/** Wraps files so that each use of a right is reported first. */
export function watchedFiles(files: Files, needs: (right: FileRight) => void): Files {
  return {
    put: async (file) => {
      needs(`put ${file.area}`);
      await files.put(file);
    },
    read: async (file) => {
      needs(`read ${file.area}`);
      return files.read(file);
    },
    join: async (file, parts) => {
      for (const { area } of parts) needs(`read ${area}`);
      needs(`put ${file.area}`);
      await files.join(file, parts);
    },
    remove: async (file) => {
      needs(`remove ${file.area}`);
      await files.remove(file);
    },
    removeAll: async (projectId) => {
      for (const area of fileAreas) {
        needs(`list ${area}`);
        needs(`remove ${area}`);
      }
      await files.removeAll(projectId);
    },
    link: async (file) => {
      needs(`read ${file.area}`);
      return files.link(file);
    },
    address: async (file, bytes) => {
      needs(`put ${file.area}`);
      return files.address(file, bytes);
    },
    state: async (file) => {
      needs(`read ${file.area}`);
      return files.state(file);
    },
    pieces: (file, ...asked) => {
      needs(`read ${file.area}`);
      return files.pieces(file, ...asked);
    },
  };
}

/** Returns whether a pattern of `dynamodb:LeadingKeys` matches the key. */
export function isLeadingKey(pattern: string, key: string): boolean {
  const parts = pattern.split('*').map((part) => part.replace(/[^\w]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`, 's').test(key);
}

/** Throws if the role of the function denies the write, because it touches a credential, a token or a project. */
function checkOpen(grant: Pick<TableGrant, 'makes'>, command: Sent): void {
  if (!permissionsFor(command).some((permission) => /:(Put|Update|Delete|PartiQL)/.test(permission))) return;
  const closed = closedKeys({ ...grant, actions: ['PutItem'] });
  const key = partitionKeysOf(command).find((key) => closed.some((pattern) => isLeadingKey(pattern, key)));
  if (key !== undefined) throw new Error(`no function may write ${key} when deployed`);
}

/** Wraps a client so that it reports IAM's requirements before each command. With a grant it also refuses what the role denies. */
export function watched(
  client: DynamoDBDocumentClient,
  needs: (permission: Permission) => void,
  touches: (partitionKey: string) => void = () => {},
  grant?: Pick<TableGrant, 'counts' | 'makes'>,
): DynamoDBDocumentClient {
  /** A command that names no key also satisfies `ForAllValues`. */
  const isCount = (command: Sent) =>
    command.name === 'UpdateCommand' &&
    partitionKeysOf(command).some((key) => grant?.counts?.some((pattern) => isLeadingKey(pattern, key)));
  return observed(client, {
    before: (command) => {
      if (grant) checkOpen(grant, command);
      if (isCount(command)) return;
      for (const permission of permissionsFor(command)) needs(permission);
      for (const key of partitionKeysOf(command)) touches(key);
    },
  });
}
