import type { Operation } from '../lib/routes/index.ts';
import type { IndexName } from '../lib/table.ts';

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
}

/** Credentials and projects are got one by one, what belongs together in one call. */
const get: readonly TableAction[] = ['GetItem'];
const getMany: readonly TableAction[] = ['GetItem', 'BatchGetItem'];
const list: readonly TableAction[] = [...getMany, 'Query'];
/** With the record of the caller's idempotency key: claimed and kept by an update, freed by a deletion. */
const change: readonly TableAction[] = [...getMany, 'UpdateItem', 'DeleteItem'];

/**
 * No more than the use case does. The tests of every endpoint refuse a call that its function may not make, and
 * test/infra/permissions.test.ts an action that is never needed.
 */
export const endpointGrants: Readonly<Record<Operation, TableGrant>> = {
  'issue-token': { actions: [...get, 'PutItem'] },
  'introspect-token': { actions: get },
  'revoke-token': { actions: [...get, 'DeleteItem'] },
  'create-campaign': { actions: [...change, 'PutItem'] },
  'get-campaign': { actions: getMany },
  'update-campaign': { actions: change },
  'get-voucher': { actions: getMany },
  'list-voucher-transactions': { actions: list, indexes: ['by-sequence'] },
  'enable-voucher': { actions: change },
  'get-loyalty-campaign': { actions: getMany },
  'list-member-tiers': { actions: list },
  'list-member-transactions': { actions: list, indexes: ['by-sequence'] },
  'transfer-points': { actions: [...change, 'PutItem', 'Query'] },
  'adjust-pending-points': { actions: [...change, 'PutItem'] },
  'get-customer': { actions: list },
  'list-customer-activities': { actions: list, indexes: ['customer-activities', 'campaign-activities'] },
  'send-event': { actions: [...change, 'PutItem', 'Query'] },
  'list-promotion-tiers': { actions: list },
  'list-campaign-promotion-tiers': { actions: list },
  'get-promotion-tier': { actions: getMany },
  'update-promotion-tier': { actions: [...change, 'PutItem', 'Query'] },
  'list-reward-assignments': { actions: list },
  'list-rewards': { actions: list },
  'list-loyalty-tier-rewards': { actions: getMany },
  'get-qr-asset': { actions: get },
  'get-barcode-asset': { actions: get },
  'get-brand': { actions: get },
  'invite-user': { actions: [...getMany, 'PutItem', 'UpdateItem'] },
  'unknown-path': { actions: [] },
};

/** IAM's names of it all, for the table's name or its indexes'. */
export const permissionsOf = ({ actions, indexes = [] }: TableGrant): string[] => [
  ...actions.map((action) => `dynamodb:${action}`),
  ...indexes.map((name) => `index/${name}`),
];

export function grantOf(operation: string): TableGrant {
  const grants: Readonly<Record<string, TableGrant>> = endpointGrants;
  const grant = grants[operation];
  if (grant === undefined) throw new Error(`what may ${operation} do to the table? See infra/table-grants.ts`);
  return grant;
}
