import { expect, test } from 'vitest';
import type { JobItem } from '#kernel/kit/jobs/job.ts';
import { runMessages } from '#kernel/kit/jobs/messages.ts';
import { resumeJob } from '#kernel/kit/jobs/operate.ts';
import { createSqsQueues } from '#kernel/kit/jobs/sqs.ts';
import { keyOf } from '#kernel/table/keys.ts';
import { Table } from '#kernel/table/table.ts';
import { createWorks, streamFilters, streamWork, sweepEachMinute } from '#registry.ts';
import { handler as createWebhook } from '../../functions/management/create-webhook.ts';
import { matchesFilter } from '../../infra/local/event-filter.ts';
import { caller } from '../support/call.ts';
import { changesOf } from '../support/changes.ts';
import { newClient, testDependencies, testTime } from '../support/dependencies.ts';
import { shownExport, startExport } from '../support/exports.ts';
import { itemsOf, messagesFor, openJobs, recordOf, runOutbox } from '../support/outbox.ts';
import { loadProject } from '../support/project.ts';

/** Proves that the works, the reader of the stream and the sweeps leave out what the stage leaves out. */

/** Makes dependencies whose table may not be touched. */
function withoutRights() {
  const dynamodb = newClient();
  dynamodb.send = () => Promise.reject(new Error('AccessDeniedException'));
  return testDependencies({ dynamodb });
}

test('an open job of an add-on that is left out ends as FAILED and rings, and finishes once the add-on is back', async () => {
  const project = await loadProject();
  const id = await startExport(project, { exported_object: 'customer' });
  const dependencies = testDependencies();
  const jobs = await openJobs(project.id);
  const works = createWorks({}, ['files']);
  expect(await runMessages(messagesFor(jobs.map(keyOf)), dependencies, works)).toEqual({ batchItemFailures: [] });
  expect(await openJobs(project.id)).toEqual([]);
  expect((await shownExport(project, id)).status).toBe('ERROR');
  const lines = dependencies.lines.map((line) => JSON.parse(line));
  expect(lines).toContainEqual(expect.objectContaining({ left_out: 'files', given_up: true, job: 'export' }));

  const [job] = await itemsOf(project.id, 'JOB');
  const { dynamodb, tableName, clock } = dependencies;
  await resumeJob(new Table(dynamodb, tableName, clock()), job as JobItem, clock());
  await runOutbox(project.id);
  expect((await shownExport(project, id)).status).toBe('DONE');
});

test('without an add-on the works of all others are the same', async () => {
  const project = await loadProject();
  const id = await startExport(project, { exported_object: 'customer' });
  const jobs = await openJobs(project.id);
  await runMessages(messagesFor(jobs.map(keyOf)), testDependencies(), createWorks({}, ['webhooks', 'reports']));
  expect((await shownExport(project, id)).status).toBe('DONE');
});

test('without webhooks the reader of the stream hands no event over, and does not read the table', async () => {
  const { id: projectId } = await loadProject();
  const hook = { target_url: 'https://shop.example/hook', events: ['publication.succeeded'] };
  expect((await caller(createWebhook)({ params: { projectId }, body: hook })).status).toBe(200);
  const publication = { pk: `${projectId}#PUBLICATION#pub_1`, sk: 'PUBLICATION', id: 'pub_1', result: 'SUCCESS' };
  const record = recordOf({ ...publication, created_at: testTime.toISOString() });
  expect(streamFilters.some((one) => matchesFilter(one, record))).toBe(true);

  const all = streamWork();
  const { queues, dynamodb, tableName } = testDependencies();
  await all.handOver(changesOf([record]), { queues, table: new Table(dynamodb, tableName, testTime) });
  expect(queues.messages.map(({ queue }) => queue)).toEqual(['events']);

  const some = streamWork(['webhooks']);
  const closed = withoutRights();
  expect(some.keys).toEqual([]);
  const table = new Table(closed.dynamodb, tableName, testTime);
  await some.handOver(changesOf([record]), { queues: closed.queues, table });
  expect(closed.queues.messages).toEqual([]);
});

test('without webhooks the sweep of each minute has nothing to do', async () => {
  const closed = withoutRights();
  await sweepEachMinute(closed, undefined, ['webhooks']);
  expect(closed.lines).toEqual([]);
  await sweepEachMinute(closed, undefined, ['reports']);
  expect(closed.lines.length).toBeGreaterThan(0);
});

test('a message for a queue that the stage does not have is an error that names the queue', async () => {
  const client = { send: () => Promise.reject(new Error('not called')) };
  const queues = createSqsQueues(client as never, { mail: 'http://127.0.0.1:1/mail' });
  await expect(queues.send('events', [{ key: { pk: 'p', sk: 's' } }])).rejects.toThrow('no queue events');
});
