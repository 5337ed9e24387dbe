import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from 'vitest';
import { maxAttempts } from '#kernel/kit/jobs/job.ts';
import { runMessages } from '#kernel/kit/jobs/messages.ts';
import { keyOf } from '#kernel/table/keys.ts';
import { createWorks } from '#registry.ts';
import { handler as getActionHandler } from '../../../../../functions/async-actions/get-async-action.ts';
import { handler as activitiesHandler } from '../../../../../functions/customers/list-customer-activities.ts';
import { handler as bulkHandler } from '../../../../../functions/customers/update-customers-in-bulk.ts';
import { handler as metadataHandler } from '../../../../../functions/customers/update-customers-metadata.ts';
import { caller } from '../../../../support/call.ts';
import { testDependencies, testTime } from '../../../../support/dependencies.ts';
import { mortal } from '../../../../support/mortal.ts';
import { deliver, itemsOf, messagesFor, openJobs, runOutbox } from '../../../../support/outbox.ts';
import { loadProject, type TestProject } from '../../../../support/project.ts';

async function start({ credentials: headers }: TestProject, body: unknown, handler = bulkHandler): Promise<string> {
  const reply = await caller(handler)({ headers, body });
  expect(reply.status).toBe(202);
  return reply.body.async_action_id;
}

async function shown({ credentials: headers }: TestProject, asyncActionId: string) {
  return (await caller(getActionHandler)({ headers, params: { asyncActionId } })).body;
}

async function customersOf({ id }: TestProject) {
  const items = await itemsOf(id, 'CUSTOMER');
  return items.filter(({ sk }) => sk === 'CUSTOMER');
}

const rows = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ source_id: `row-${index}`, name: `Name ${index}` }));

test('rows update customers and create new ones, rows of one customer in their order, and each change has one activity', async () => {
  const project = await loadProject({ customers: [{ id: 'cust_1', source_id: 'known', metadata: { kept: 1 } }] });
  const id = await start(project, [
    { source_id: 'known', email: 'a@mail.example', metadata: { new: 2 } },
    { source_id: 'other', name: 'First' },
    { source_id: 'other', name: 'Second' },
    { source_id: 'known' },
  ]);
  expect(await shown(project, id)).toMatchObject({ status: 'IN_PROGRESS', operation_status: 'UNKNOWN', progress: 0 });
  expect(await shown(project, id)).not.toHaveProperty('result');
  await runOutbox(project.id);
  const customers = await customersOf(project);
  expect(customers).toHaveLength(2);
  const by = (source: string) => customers.find(({ source_id }) => source_id === source);
  expect(by('known')).toMatchObject({ id: 'cust_1', email: 'a@mail.example', metadata: { kept: 1, new: 2 } });
  expect(by('other')).toMatchObject({ name: 'Second' });
  const told = await caller(activitiesHandler)({ headers: project.credentials, params: { customerId: 'other' } });
  expect(told.body.data.map(({ type }: { type: string }) => type)).toEqual(['customer.updated', 'customer.created']);
  const [source] = told.body.data.map(({ data }: { data: { event_source: unknown } }) => data.event_source);
  expect(source).toMatchObject({ channel: 'API', api_key: { app_id: project.credentials['x-app-id'] } });
  expect(await shown(project, id)).toMatchObject({
    type: 'CUSTOMERS.BULK_UPDATE',
    status: 'DONE',
    operation_status: 'SUCCESS',
    progress: 100,
    result: { message: 'Customers are updated: done', done_count: 4, failed_count: 0, errors: [] },
  });
});

test('metadata is set on each of many customers, and a refused row is named with its reason', async () => {
  const project = await loadProject({ customers: [{ id: 'cust_1', source_id: 'known', metadata: { kept: 1 } }] });
  const body = { source_ids: ['known', 'new', 'cust_1'], metadata: { season: 'spring' } };
  const id = await start(project, body, metadataHandler);
  await runOutbox(project.id);
  expect((await customersOf(project)).map(({ source_id, metadata }) => [source_id, metadata]).sort()).toEqual([
    ['known', { kept: 1, season: 'spring' }],
    ['new', { season: 'spring' }],
  ]);
  const { result, ...action } = await shown(project, id);
  expect(action).toMatchObject({ type: 'CUSTOMERS.METADATA_UPDATE', status: 'DONE', operation_status: 'FAILED' });
  expect(result).toMatchObject({ done_count: 2, failed_count: 1 });
  expect(result.errors).toEqual([
    {
      source_id: 'cust_1',
      key: 'duplicate_found',
      message: 'Duplicated resource found',
      details: 'source_id is the id of another customer: name that customer by id',
    },
  ]);
});

test("a row is named if its metadata would make the customer's too long, and so is metadata outside the table's form", async () => {
  const half = (name: string) => ({ [name]: 'x'.repeat(30_000) });
  const project = await loadProject({ customers: [{ id: 'cust_1', source_id: 'known', metadata: half('kept') }] });
  const ofRow = await start(project, [{ source_id: 'known', metadata: half('more') }]);
  const ofAll = await start(project, { source_ids: ['known'], metadata: half('more') }, metadataHandler);
  await runOutbox(project.id);
  for (const id of [ofRow, ofAll]) {
    const { result } = await shown(project, id);
    expect(result.errors).toMatchObject([
      {
        source_id: 'known',
        key: 'invalid_payload',
        details: expect.stringMatching(/^metadata would have/),
      },
    ]);
  }
});

test('a faulty row is refused with its place, and nothing begins', async () => {
  const { id, credentials: headers } = await loadProject();
  const reply = await caller(bulkHandler)({ headers, body: [{ source_id: 'a' }, { name: 'B' }, { source_id: 3 }] });
  expect([reply.status, reply.body.key]).toEqual([400, 'invalid_payload']);
  expect(reply.body.details).toContain('[1].source_id is required');
  expect(reply.body.details).toContain('[2].source_id');
  expect(await openJobs(id)).toEqual([]);
});

describe('each row is done once', () => {
  test('by workers that are killed half-way and get every message twice at once', async () => {
    const project = await loadProject();
    const id = await start(project, [...rows(60), { source_id: project.id }, ...rows(60)]);
    for (const [deaths, left] of [12, 25, 40, 60, 33].entries()) {
      const found = await openJobs(project.id);
      const worker = () => deliver(found, mortal(left, deaths % 2 === 0));
      await Promise.all([worker(), worker()]);
    }
    const half = await customersOf(project);
    expect(half.length).toBeGreaterThan(10);
    expect(half.length).toBeLessThan(61);
    const left = await openJobs(project.id);
    await Promise.all([deliver(left), deliver(left), deliver(left)]);
    await runOutbox(project.id);
    const customers = await customersOf(project);
    expect(customers).toHaveLength(61);
    // Each row has one activity: repeated rows changed nothing.
    expect(customers.map(({ activities }) => activities)).toEqual(customers.map(() => 1));
    expect((await shown(project, id)).result).toMatchObject({ done_count: 121, failed_count: 0 });
    await deliver(left);
    expect((await shown(project, id)).result).toMatchObject({ done_count: 121, failed_count: 0 });
  });

  test('in slices of time, each behind the other work of the queue', async () => {
    const project = await loadProject();
    const id = await start(project, rows(20));
    const dependencies = testDependencies();
    const [job = {}] = await openJobs(project.id);
    let asked = 0;
    await runMessages(messagesFor([keyOf(job)]), dependencies, createWorks(), () => ++asked > 10);
    expect(dependencies.queues.messages).toEqual([{ queue: 'bulk', key: keyOf(job), delayInS: 0 }]);
    expect((await customersOf(project)).length).toBeLessThan(20);
    // Each look at the clock advances it by a second.
    let seconds = 0;
    const clock = () => new Date(testTime.getTime() + 1_000 * seconds++);
    await deliver([job], testDependencies({ clock }));
    const action = await shown(project, id);
    expect(action).toMatchObject({ status: 'DONE', result: { done_count: 20 } });
    expect(action.processing_time).toBeGreaterThanOrEqual(1_000);
  });
});

test('a table that lacks capacity costs time and fails neither rows nor the action', async () => {
  const project = await loadProject();
  const id = await start(project, rows(10));
  const { dynamodb } = testDependencies();
  const send = async (command: Parameters<DynamoDBDocumentClient['send']>[0]) => {
    if (!('TransactItems' in command.input)) return dynamodb.send(command);
    throw Object.assign(new Error('slow down'), { name: 'ThrottlingException' });
  };
  const dependencies = testDependencies({
    dynamodb: Object.assign(Object.create(dynamodb), { send }),
    patienceInMs: 10,
  });
  const [job = {}] = await openJobs(project.id);
  for (let delivery = 0; delivery < 2; delivery++) await deliver([job], dependencies);
  expect(dependencies.queues.messages.map(({ queue }) => queue)).toEqual(['bulk', 'bulk']);
  expect(await openJobs(project.id)).toMatchObject([{ attempts: 0, failed_count: 0 }]);
  await runOutbox(project.id);
  expect(await shown(project, id)).toMatchObject({ status: 'DONE', result: { done_count: 10, failed_count: 0 } });
});

test('an action that keeps failing ends as FAILED, with the finished rows counted', async () => {
  const project = await loadProject();
  const id = await start(project, rows(4));
  const { dynamodb } = testDependencies();
  let transactions = 0;
  const send = async (command: Parameters<DynamoDBDocumentClient['send']>[0]) => {
    if ('TransactItems' in command.input && ++transactions > 2) throw new Error('broken');
    return dynamodb.send(command);
  };
  const broken = testDependencies({ dynamodb: Object.assign(Object.create(dynamodb), { send }) });
  const [job = {}] = await openJobs(project.id);
  for (let attempt = 0; attempt < maxAttempts; attempt++) await deliver([job], broken);
  expect(await shown(project, id)).toMatchObject({
    status: 'FAILED',
    operation_status: 'FAILED',
    result: { done_count: 2, failed_count: 0 },
  });
});
