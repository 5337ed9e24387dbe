import { browserCallsKeys } from '#kernel/http/browser-calls.ts';
import { isOfTill } from '#kernel/http/limit-till.ts';
import type { Authentication, Route, TableAccess } from '#kernel/http/route.ts';
import { tillBucketKeys } from '#kernel/http/till-leases.ts';
import { credentialKeys, type IndexName, tableShape } from '#kernel/table/keys.ts';

type TableAction =
  | 'BatchGetItem'
  | 'ConditionCheckItem'
  | 'DeleteItem'
  | 'GetItem'
  | 'PartiQLInsert'
  | 'PutItem'
  | 'Query'
  | 'Scan'
  | 'UpdateItem';

/**
 * Describes the rights of a function on the table. A transaction needs the actions of its parts and no action of its
 * own.
 */
export interface TableGrant {
  actions: readonly TableAction[];
  indexes?: readonly IndexName[];
  /** Lists patterns of the only partition keys that the function may touch, if they are few. `*` matches anything. */
  keys?: readonly string[];
  /** Lists patterns of partition keys with items that it may change, although it writes nothing else. */
  counts?: readonly string[];
  /**
   * Lists patterns of the keys of credentials, tokens and projects that it may write. All others are closed to every
   * writer.
   */
  makes?: readonly string[];
}

/** Lists every way to write an item. */
export const writeActions = [
  'BatchWriteItem',
  'DeleteItem',
  'PartiQLDelete',
  'PartiQLInsert',
  'PartiQLUpdate',
  'PutItem',
  'UpdateItem',
] as const;

/** Returns patterns of the keys that the function must never write: none for a function that writes nothing. */
export function closedKeys({ actions, counts, makes = [] }: TableGrant): readonly string[] {
  const writes = counts !== undefined || writeActions.some((write) => actions.some((action) => action === write));
  return writes ? credentialKeys.filter((pattern) => !makes.includes(pattern)) : [];
}

function isIndexName(name: string): name is IndexName {
  return Object.hasOwn(tableShape.indexes, name);
}

const indexes = Object.keys(tableShape.indexes).filter(isIndexName);

/** Parallel reads become one call, so a function with one of these rights also has the other. */
export const get = ['GetItem', 'BatchGetItem'] as const;
const read = [...get, 'Query'] as const;

/**
 * Derives rights from the operation's one word. Tests check that it allows everything that the operation does, and no
 * other writes.
 */
export const grants: Readonly<Record<TableAccess, TableGrant>> = {
  none: { actions: [] },
  get: { actions: get },
  read: { actions: read, indexes },
  write: { actions: [...read, 'PutItem', 'UpdateItem', 'DeleteItem', 'ConditionCheckItem'], indexes },
};

/** Limits operations with callers that have less than a project's full credentials. */
const keys: Readonly<Partial<Record<Authentication, readonly string[]>>> = {
  // These operations read credentials, and their projects with the metadata schemas, and nothing else that a project has.
  'app-key': ['APP_KEY#*', 'TOKEN#*', 'USER_ACCOUNT#*', '*#PROJECT', '*#METADATA_SCHEMAS'],
  // A picture's id is signed with its project's secret.
  none: ['*#PROJECT', '*#METADATA_SCHEMAS'],
};

/** Operations with an app key issue and revoke tokens. */
const makes: Readonly<Partial<Record<Authentication, readonly string[]>>> = { 'app-key': ['TOKEN#*'] };

const accountKeys = 'USER_ACCOUNT#*';

/** Returns whether the operation manages the users of a project. Such operations alone change what a user may do. */
function isOfUsers({ authentication, path }: Route): boolean {
  return authentication === 'management' && path.split('/')[5] === 'users';
}

/** Patterns of the keys of credentials that belong to a project. */
export const projectCredentials = ['APP_KEY#*', 'CLIENT_KEY#*', 'MANAGEMENT_KEY#*'] as const;

/** Returns what an operation of projects themselves may make. Such operations alone change projects and their keys. */
function makesOfProjects({ authentication, path, method }: Route): readonly string[] | undefined {
  if (authentication !== 'management') return undefined;
  const [, , , , project, part] = path.split('/');
  if (project === undefined) {
    return method === 'POST' ? ['*#PROJECT', 'PROJECTS', accountKeys, ...projectCredentials] : undefined;
  }
  // The transaction of a new key checks its project, and IAM may see all keys of a transaction.
  if (part === 'keys') return ['*#PROJECT', ...projectCredentials];
  return project === '{projectId}' && part === undefined ? ['*#PROJECT'] : undefined;
}

export function deriveGrant(route: Route): TableGrant {
  const { access, authentication } = route;
  const counts = [
    ...(authentication === 'client' ? [browserCallsKeys] : []),
    ...(isOfTill(route) ? [tillBucketKeys] : []),
  ];
  const only = keys[authentication];
  const made = isOfUsers(route) ? [accountKeys] : (makesOfProjects(route) ?? makes[authentication]);
  return {
    ...grants[access],
    ...(only === undefined || access === 'none' ? {} : { keys: only }),
    ...(made === undefined || access !== 'write' ? {} : { makes: made }),
    ...(counts.length > 0 && access !== 'write' ? { counts } : {}),
  };
}

const unionOf = <T>(lists: readonly (readonly T[] | undefined)[]) => [...new Set(lists.flatMap((list) => list ?? []))];

/** Returns the least grant that allows everything that each of these allows. */
export function uniteGrants(grants: readonly TableGrant[]): TableGrant {
  const used = grants.filter(({ actions, counts }) => actions.length > 0 || counts !== undefined);
  const indexes = unionOf(used.map((grant) => grant.indexes));
  const makes = unionOf(used.map((grant) => grant.makes));
  const counts = unionOf(used.map((grant) => grant.counts));
  const isLimited = used.length > 0 && used.every(({ keys }) => keys !== undefined);
  return {
    actions: unionOf(used.map(({ actions }) => actions)),
    ...(indexes.length > 0 ? { indexes } : {}),
    ...(isLimited ? { keys: unionOf(used.map(({ keys }) => keys)) } : {}),
    ...(counts.length > 0 ? { counts } : {}),
    ...(makes.length > 0 ? { makes } : {}),
  };
}
