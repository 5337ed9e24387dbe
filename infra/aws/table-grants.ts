import { isOfTill } from '../../lib/http/limit-till.ts';
import { pageCallsKeys } from '../../lib/http/page-calls.ts';
import type { Authentication, Route, TableAccess } from '../../lib/http/route.ts';
import { tillBucketKeys } from '../../lib/http/till-leases.ts';
import { credentialKeys, type IndexName, tableShape } from '../../lib/table/keys.ts';

type TableAction =
  | 'BatchGetItem'
  | 'ConditionCheckItem'
  | 'DeleteItem'
  | 'GetItem'
  | 'PartiQLInsert'
  | 'PutItem'
  | 'Query'
  | 'UpdateItem';

/** What a function may do to the table. A transaction needs the actions of its parts and none of its own. */
export interface TableGrant {
  actions: readonly TableAction[];
  indexes?: readonly IndexName[];
  /** Patterns of the only partition keys that it may touch, where they are few; `*` stands for anything. */
  keys?: readonly string[];
  /** Patterns of partition keys whose items it may change, though it writes nothing else. */
  counts?: readonly string[];
  /** Patterns of the keys of credentials, tokens and projects that it may write. All others are closed to every writer. */
  makes?: readonly string[];
}

/** Every way to write an item. */
export const writeActions = [
  'BatchWriteItem',
  'DeleteItem',
  'PartiQLDelete',
  'PartiQLInsert',
  'PartiQLUpdate',
  'PutItem',
  'UpdateItem',
] as const;

/** Patterns of the keys that the function must never write; none for a function that writes nothing. */
export function closedKeys({ actions, counts, makes = [] }: TableGrant): readonly string[] {
  const writes = counts !== undefined || writeActions.some((write) => actions.some((action) => action === write));
  return writes ? credentialKeys.filter((pattern) => !makes.includes(pattern)) : [];
}

function isIndexName(name: string): name is IndexName {
  return Object.hasOwn(tableShape.indexes, name);
}

const indexes = Object.keys(tableShape.indexes).filter(isIndexName);

/** Reads that are under way at once become one call, so that who may make the one makes the other, too. */
export const get = ['GetItem', 'BatchGetItem'] as const;
const read = [...get, 'Query'] as const;

/** By the word of an operation, which must allow what it does and no writes that it never makes: the tests look. */
export const grants: Readonly<Record<TableAccess, TableGrant>> = {
  none: { actions: [] },
  get: { actions: get },
  read: { actions: read, indexes },
  write: { actions: [...read, 'PutItem', 'UpdateItem', 'DeleteItem', 'ConditionCheckItem'], indexes },
};

/** Where callers are known by less than a project's whole credentials. */
const keys: Readonly<Partial<Record<Authentication, readonly string[]>>> = {
  // Credentials and their projects, and nothing that a project has.
  'app-key': ['APP_KEY#*', 'TOKEN#*', '*#PROJECT'],
  // A picture's id is signed with its project's secret.
  none: ['*#PROJECT'],
};

/** Operations that are called with an app key issue and revoke tokens. */
const makes: Readonly<Partial<Record<Authentication, readonly string[]>>> = { 'app-key': ['TOKEN#*'] };

export function grantOf(route: Route): TableGrant {
  const { access, authentication } = route;
  const counts = [
    ...(authentication === 'client' ? [pageCallsKeys] : []),
    ...(isOfTill(route) ? [tillBucketKeys] : []),
  ];
  const only = keys[authentication];
  const made = makes[authentication];
  return {
    ...grants[access],
    ...(only === undefined || access === 'none' ? {} : { keys: only }),
    ...(made === undefined || access !== 'write' ? {} : { makes: made }),
    ...(counts.length > 0 && access !== 'write' ? { counts } : {}),
  };
}
