import { beforeAll, expect, test } from 'vitest';
import { compileNaming } from '#addons/upkeep/erasure/naming.ts';
import { Table } from '#kernel/table/table.ts';
import { handler as createCustomer } from '../../functions/customers/create-customer.ts';
import { handler as listSegmentsOfCustomer } from '../../functions/customers/list-customer-segments.ts';
import { handler as updateCustomer } from '../../functions/customers/update-customer.ts';
import { caller } from '../support/call.ts';
import { testDependencies, testTime } from '../support/dependencies.ts';
import { exportedLines } from '../support/exports.ts';
import { loadProject, type TestProject } from '../support/project.ts';

/** Compares e-mail addresses without blanks at their ends and in lower case, wherever a filter names an address. */

let project: TestProject;

const asking = (conditions: object) => ({ junction: 'and', email: { conditions } });

beforeAll(async () => {
  project = await loadProject({
    customers: [
      { id: 'cust_loud', email: 'ADA@MAIL.EXAMPLE' },
      { id: 'cust_spaced', email: ' Ada@mail.example ' },
      { id: 'cust_other', email: 'bo@mail.example' },
      { id: 'cust_none' },
    ],
    segments: [{ id: 'seg_ada', name: 'Ada', type: 'passive', filter: asking({ $is: ['aDa@mail.example '] }) }],
  });
});

test.each<[object, string[]]>([
  [{ $is: 'ada@mail.example' }, ['cust_loud', 'cust_spaced']],
  [{ $in: ['x@y.example', ' Ada@Mail.example'] }, ['cust_loud', 'cust_spaced']],
  [{ $is_not: 'ada@mail.example' }, ['cust_none', 'cust_other']],
  [{ $contains: 'ADA' }, ['cust_loud', 'cust_spaced']],
  [{ $starts_with: 'Bo@' }, ['cust_other']],
  [{ $has_value: true }, ['cust_loud', 'cust_other', 'cust_spaced']],
])('an export has the customers of %j', async (conditions, expected) => {
  const parameters = { fields: ['id'], filters: asking(conditions) };
  const [, ...lines] = await exportedLines(project, { exported_object: 'customer', parameters });
  expect(lines.toSorted()).toEqual(expected);
});

test.each([
  ['cust_loud', ['seg_ada']],
  ['cust_spaced', ['seg_ada']],
  ['cust_other', []],
  ['cust_none', []],
])('a segment by e-mail address takes %s or not', async (customerId, expected) => {
  const { body } = await caller(listSegmentsOfCustomer)({ headers: project.credentials, params: { customerId } });
  expect(body.data.map(({ id }: { id: string }) => id)).toEqual(expected);
});

test('blanks at the ends of an address are taken off when it is sent', async () => {
  const { credentials: headers } = project;
  const { body } = await caller(createCustomer)({ headers, body: { source_id: 'blanks', email: '  A@b.example\n' } });
  expect(body.email).toBe('A@b.example');
  const changed = await caller(updateCustomer)({
    headers,
    params: { customerId: 'blanks' },
    body: { email: '\tC@b.example' },
  });
  expect(changed.body.email).toBe('C@b.example');
});

test('an erasure knows the address in any case', async () => {
  const names = ['Ada@Mail.example', '+49 30 1'];
  const { credentialCache, dynamodb, tableName } = testDependencies();
  const stored = await credentialCache.project(new Table(dynamodb, tableName, testTime), project.id, testTime);
  if (!stored) throw new Error('the project is missing');
  const naming = compileNaming(stored, 'cust_loud', { source_id: 'Crm-1', names, texts: [] }, []);
  expect(['Ada@Mail.example', ' ADA@mail.example ', 'Crm-1'].map(naming.isNamed)).toEqual([true, true, true]);
  expect(['crm-1', 'bo@mail.example'].map(naming.isNamed)).toEqual([false, false]);
  expect(naming.isWithin('mail to ADA@MAIL.EXAMPLE failed')).toBe(true);
  expect(naming.isWithin('mail to bo@mail.example failed')).toBe(false);
});
