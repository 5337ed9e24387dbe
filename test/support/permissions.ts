import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { closedKeys, type TableGrant } from '../../infra/aws/table-grants.ts';
import type { FileRight } from '../../lib/core/files/access.ts';
import type { Files } from '../../lib/core/files/files.ts';
import { observed } from './commands.ts';

/** One of IAM's actions on a table, or the name of an index of it, as `index/<name>`. */
export type Permission = string;

const actionOfTransactionPart: Readonly<Record<string, Permission>> = {
  Get: 'dynamodb:GetItem',
  Put: 'dynamodb:PutItem',
  Update: 'dynamodb:UpdateItem',
  Delete: 'dynamodb:DeleteItem',
  ConditionCheck: 'dynamodb:ConditionCheckItem',
};

/** Reads that happen to be under way at once are one call: which of the two it is depends on time. */
const get = ['dynamodb:GetItem', 'dynamodb:BatchGetItem'];

const actionsOfCommand: Readonly<Record<string, readonly Permission[]>> = {
  GetCommand: get,
  BatchGetCommand: get,
  QueryCommand: ['dynamodb:Query'],
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

/** What IAM asks for when the command is sent; a transaction needs the actions of its parts. */
export function permissionsFor({ name, input }: Sent): Permission[] {
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

/** Partition keys of the items that a command names one by one. */
export function partitionKeysOf({ input }: Sent): string[] {
  const parts = (input.TransactItems ?? []).flatMap((part) => Object.values(part));
  const gets = Object.values(input.RequestItems ?? {}).flatMap(({ Keys = [] }) => Keys);
  const named = [input, ...parts].flatMap(({ Key, Item }) => [Key, Item]);
  return [...named, ...gets].flatMap((key) => (typeof key?.pk === 'string' ? key.pk : []));
}

/** Whether a function may do it to the table. */
export function allows({ actions, indexes = [] }: TableGrant, permission: Permission): boolean {
  return [...actions.map((action) => `dynamodb:${action}`), ...indexes.map((name) => `index/${name}`)].includes(
    permission,
  );
}

const verbs = { put: 's3:PutObject', read: 's3:GetObject', remove: 's3:DeleteObject' } as const;

/** What IAM asks for when a right to files is used. */
export function fileActionFor(right: FileRight): string {
  const [verb = '', area = ''] = right.split(' ');
  return `${verbs[verb as keyof typeof verbs]} /${area}/*`;
}

/** The same files, which report each right before it is used. */
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

/** Whether a pattern of `dynamodb:LeadingKeys` is one of the key. */
export function isLeadingKey(pattern: string, key: string): boolean {
  const parts = pattern.split('*').map((part) => part.replace(/[^\w]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`, 's').test(key);
}

/** Throws for a write that a deny of the function's role refuses: one of its items is a credential, a token or a project. */
function checkOpen(grant: Pick<TableGrant, 'makes'>, command: Sent): void {
  if (!permissionsFor(command).some((permission) => /:(Put|Update|Delete|PartiQL)/.test(permission))) return;
  const closed = closedKeys({ ...grant, actions: ['PutItem'] });
  const key = partitionKeysOf(command).find((key) => closed.some((pattern) => isLeadingKey(pattern, key)));
  if (key !== undefined) throw new Error(`no function may write ${key} when deployed`);
}

/** The same client, that tells before each command what IAM would ask for. With a grant it refuses what the role's deny does. */
export function watched(
  client: DynamoDBDocumentClient,
  needs: (permission: Permission) => void,
  touches: (partitionKey: string) => void = () => {},
  grant?: Pick<TableGrant, 'counts' | 'makes'>,
): DynamoDBDocumentClient {
  /** `ForAllValues` is also met by what names no key. */
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
