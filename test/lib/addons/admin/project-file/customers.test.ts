import { expect, test } from 'vitest';
import { ProjectFileError } from '#addons/admin/project-file/faults.ts';
import { handler as getCustomer } from '../../../../../functions/customers/get-customer.ts';
import { handler as sendEvent } from '../../../../../functions/events/send-event.ts';
import { caller } from '../../../../support/call.ts';
import { clientWith, isTransaction } from '../../../../support/client.ts';
import { testDependencies, testTime } from '../../../../support/dependencies.ts';
import { itemsOf } from '../../../../support/outbox.ts';
import { credentialsOf, faultsOf, loadFile, projectFile } from '../../../../support/project.ts';

const event_schema = [{ name: 'came_in', metadata: {} }];
type File = ReturnType<typeof projectFile>;

const came = (file: File, customer: object, dependencies = testDependencies()) =>
  caller(sendEvent, dependencies)({ headers: credentialsOf(file), body: { event: 'came_in', customer } });
const shown = async (file: File, customerId: string) =>
  (await caller(getCustomer)({ params: { customerId }, headers: credentialsOf(file) })).body;
const idsOf = async ({ project }: File) =>
  (await itemsOf(project.id, 'CUSTOMER')).filter(({ sk }) => sk === 'CUSTOMER').map(({ id }) => id);

/** Makes a caller's client. Other calls happen before its first transaction that has a customer in it. */
function before(meanwhile: () => Promise<unknown>) {
  let isDone = false;
  return clientWith(testDependencies().dynamodb, async (command, real) => {
    if (isTransaction(command) && JSON.stringify(command).includes('"CUSTOMER"') && !isDone) {
      isDone = true;
      await meanwhile();
    }
    return real();
  });
}

const loadAfter = (content: unknown, meanwhile: () => Promise<unknown>) =>
  loadFile(content, testTime, testDependencies({ dynamodb: before(meanwhile) }));

test('a source id that is the id of another customer is refused, in the file and against the table', async () => {
  const both = [
    { id: 'x', source_id: 'y' },
    { id: 'y', source_id: 'z' },
    { id: 'own', source_id: 'own' },
  ];
  expect(await faultsOf(projectFile({ customers: both }))).toEqual([
    'customers[0].source_id is the id of customers[1]',
  ]);
  const file = projectFile({ customers: both.slice(1) });
  await loadFile(file);
  expect(await faultsOf({ ...file, customers: both.slice(0, 1) })).toEqual([
    'customers[0].source_id is the id of another customer',
  ]);
  expect(await faultsOf({ ...file, customers: [{ id: 'z' }] })).toEqual([
    'customers[0].id is the source_id of another customer',
  ]);
  expect(await idsOf(file)).toHaveLength(2);
});

test('an event whose source id is the id of another customer is refused, and creates no customer', async () => {
  const file = projectFile({ event_schema, customers: [{ id: 'cust_ada', source_id: 'shop-1' }] });
  await loadFile(file);
  const { status, body } = await came(file, { source_id: 'cust_ada' });
  expect([status, body]).toMatchObject([
    409,
    { key: 'duplicate_found', resource_id: 'cust_ada', resource_type: 'customer' },
  ]);
  expect(await idsOf(file)).toEqual(['cust_ada']);
  expect((await came(file, { source_id: 'shop-1' })).body.customer.id).toBe('cust_ada');
});

test('an event and a load that want one word as source id and as id: the second is refused', async () => {
  const first = projectFile({ event_schema });
  await loadFile(first);
  const loaded = { ...first, customers: [{ id: 'word' }] };
  const racing = testDependencies({ dynamodb: before(() => loadFile(loaded)) });
  expect((await came(first, { source_id: 'word' }, racing)).status).toBe(409);
  expect(await idsOf(first)).toEqual(['word']);

  const second = projectFile({ event_schema });
  await loadFile(second);
  const load = loadAfter({ ...second, customers: [{ id: 'word' }] }, () => came(second, { source_id: 'word' }));
  await expect(load).rejects.toThrow(ProjectFileError);
  expect(await idsOf(second)).toEqual([expect.stringMatching(/^cust_/)]);
});

test('two loads that want one word as source id and as id: one of them is refused', async () => {
  const file = projectFile();
  await loadFile(file);
  const outcomes = await Promise.allSettled([
    loadFile({ ...file, customers: [{ id: 'word' }] }),
    loadFile({ ...file, customers: [{ id: 'cust_1', source_id: 'word' }] }),
  ]);
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  expect(await idsOf(file)).toHaveLength(1);
});

test('an event that read the customer before a load changed it changes the loaded customer', async () => {
  const ada = { id: 'cust_ada', source_id: 'shop-1', name: 'Ada', metadata: { a: 1 } };
  const file = projectFile({ event_schema, customers: [ada] });
  await loadFile(file);
  const loaded = { ...file, customers: [{ ...ada, metadata: { a: 2, b: 2 } }] };
  const racing = testDependencies({ dynamodb: before(() => loadFile(loaded)) });
  expect((await came(file, { source_id: 'shop-1', metadata: { c: 3 } }, racing)).status).toBe(200);
  expect(await shown(file, 'cust_ada')).toMatchObject({ name: 'Ada', metadata: { a: 2, b: 2, c: 3 } });
});

test('a load that read the customer before an event changed it keeps the event, and has the last word', async () => {
  const ada = { id: 'cust_ada', source_id: 'shop-1', name: 'Ada', metadata: { a: 1 } };
  const file = projectFile({ event_schema, customers: [ada] });
  await loadFile(file);
  const renamed = { ...file, customers: [{ ...ada, name: 'Ada Byron' }] };
  await loadAfter(renamed, () => came(file, { source_id: 'shop-1', phone: '1', metadata: { c: 3 } }));
  expect(await shown(file, 'cust_ada')).toMatchObject({ name: 'Ada Byron', phone: null, metadata: { a: 1 } });
  const [stored] = (await itemsOf(file.project.id, 'CUSTOMER')).filter(({ sk }) => sk === 'CUSTOMER');
  expect(stored).toMatchObject({ activities: 2 });
});

test('a customer with a new source id is no longer known by the old one, which is free', async () => {
  const file = projectFile({ event_schema, customers: [{ id: 'cust_ada', source_id: 'old' }] });
  await loadFile(file);
  await loadFile({ ...file, customers: [{ id: 'cust_ada', source_id: 'new' }] });
  expect((await came(file, { source_id: 'new' })).body.customer.id).toBe('cust_ada');
  expect((await came(file, { source_id: 'old' })).body.customer.id).not.toBe('cust_ada');
});

test('a date of birth with a time counts as its day', async () => {
  const file = projectFile({
    customers: [
      { id: 'cust_date', birthdate: '1990-02-03' },
      { id: 'cust_east', birthdate: '1990-02-03T00:30:00+14:00' },
      { id: 'cust_west', birthday: '1990-02-03T23:30:00-11:00' },
      { id: 'cust_utc', birthday: null, birthdate: '1990-02-03T12:00:00.000Z' },
    ],
  });
  await loadFile(file);
  for (const { id } of file.customers) {
    expect(await shown(file, id)).toMatchObject({ birthdate: '1990-02-03', birthday: '1990-02-03' });
  }
  for (const birthdate of ['1990-02-30T00:00:00Z', '1990-02-03T', '3 February 1990']) {
    const [fault, ...others] = await faultsOf(projectFile({ customers: [{ id: 'cust_never', birthdate }] }));
    expect([fault, others]).toEqual([expect.stringMatching(/^customers\[0\]\.birthdate /), []]);
  }
});
