import type { Template } from 'aws-cdk-lib/assertions';
import { beforeAll, describe, expect, test } from 'vitest';
import { voucherItem, vouchers } from '#engine/vouchers/voucher.ts';
import { appKeysById } from '#kernel/access/projects/app-key.ts';
import { clientKeysById } from '#kernel/access/projects/client-key.ts';
import { managementKeysById } from '#kernel/access/projects/management-key.ts';
import { listedProjects, projectsById } from '#kernel/access/projects/project.ts';
import { tokensByHash } from '#kernel/access/tokens/token.ts';
import { accountsById, deriveUserId } from '#kernel/access/users/account.ts';
import { escapePart } from '#kernel/table/keys.ts';
import { kind, sharedKind } from '#kernel/table/kind.ts';
import type { TesseraStack } from '../../infra/aws/stack.ts';
import { writeActions } from '../../infra/aws/table-grants.ts';
import { isAllowed, type Statement, statementsOf } from '../support/iam.ts';
import { deployed, idOf } from '../support/stack.ts';
import { resourcesIn } from '../support/template.ts';

const token = tokensByHash('b6x').pk;
const ofKeys = ['create-project-key', 'revoke-project-key', 'rotate-project-key'];
const credentials: [string, string[]][] = [
  [appKeysById('app_1').pk, ['create-project', ...ofKeys]],
  [clientKeysById('client_1').pk, ['create-project', ...ofKeys]],
  [managementKeysById('ops-1').pk, ['create-project', ...ofKeys]],
  [projectsById('proj_1').pk, ['create-project', 'update-project', 'delete-project', ...ofKeys]],
  [listedProjects.at('proj_1').pk, ['create-project']],
];
const voucher = vouchers('proj_1', 'v_1').pk;
const actions = writeActions.map((action) => `dynamodb:${action}`);

let stack: TesseraStack;
let template: Template;
let functions: { id: string; statements: Statement[] }[];
beforeAll(() => {
  ({ stack, template } = deployed());
  const ids = Object.keys(resourcesIn(template, 'AWS::Lambda::Function'));
  functions = ids.map((id) => ({ id, statements: statementsOf(template, id) }));
});

/** Returns the ids of the functions that may write an item with the key, alone or with others in one call. */
function writersOf(...keys: string[]): string[] {
  const writes = ({ statements }: { statements: Statement[] }) =>
    actions.some((action) => isAllowed(statements, action, keys));
  return functions.filter(writes).map(({ id }) => id);
}

function idsOf(...names: string[]): string[] {
  const found = names.map((name) => {
    const lambda = stack.endpoints.get(name);
    if (!lambda) throw new Error(`${name} is not in the stack`);
    return idOf(lambda);
  });
  // All operations of management share one function.
  return [...new Set(found)];
}

describe('the deployed functions', () => {
  test.each(credentials)('write %s only if they serve operations that manage projects or keys', (key, names) => {
    const deletion = idOf(stack.jobQueues.workers.exports);
    const writers = [...idsOf(...names), deletion].toSorted();
    expect(writersOf(key).toSorted()).toEqual(writers);
    expect(writersOf(key, voucher).toSorted()).toEqual(writers);
    expect(writersOf(key, token)).toEqual([deletion]);
  });

  test('only the operations that issue and revoke tokens may write a token', () => {
    expect(writersOf(token).toSorted()).toEqual(
      [...idsOf('issue-token', 'revoke-token'), idOf(stack.jobQueues.workers.exports)].toSorted(),
    );
    expect(writersOf(token, voucher)).toEqual([idOf(stack.jobQueues.workers.exports)]);
  });

  test('only the operations that manage users may write the roles of a user', () => {
    const account = accountsById(deriveUserId('ana@mail.example')).pk;
    expect(writersOf(account).toSorted()).toEqual(
      [
        ...idsOf('add-user', 'create-project', 'remove-user', 'update-user'),
        idOf(stack.jobQueues.workers.exports),
      ].toSorted(),
    );
    expect(writersOf(account, token)).toEqual([idOf(stack.jobQueues.workers.exports)]);
  });

  test('more than a hundred may write vouchers', () => {
    expect(writersOf(voucher).length).toBeGreaterThan(100);
  });

  test('a right that is limited to some keys never covers a call without a key', () => {
    const limited = functions
      .flatMap(({ statements }) => statements)
      .filter(({ Condition }) => JSON.stringify(Condition ?? {}).includes('ForAllValues'));
    expect(limited.length).toBeGreaterThan(5);
    const holding = limited.filter((one) => one.Action.some((action) => isAllowed([one], action, [])));
    expect(holding).toEqual([]);
  });
});

test("a caller's ids never look like the name of a credential or project", () => {
  const claims = kind<typeof voucherItem, [of: string, text: string]>('CLAIM', voucherItem);
  for (const name of ['APP_KEY', 'CLIENT_KEY', 'MANAGEMENT_KEY', 'TOKEN', 'USER_ACCOUNT', 'PROJECT', 'PROJECTS']) {
    expect(escapePart(name)).toMatch(/^~/);
    for (const key of [claims('proj_1', 'voucher', name), vouchers(name, 'v_1'), sharedKind('INVITEE')(name)])
      expect(writersOf(key.pk).length).toBeGreaterThan(100);
  }
});
