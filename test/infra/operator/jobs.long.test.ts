import { expect, test } from 'vitest';
import { maxAttempts } from '#kernel/kit/jobs/job.ts';
import { handler as createHandler } from '../../../functions/campaigns/create-campaign.ts';
import { caller } from '../../support/call.ts';
import { testDependencies } from '../../support/dependencies.ts';
import { operate } from '../../support/operator.ts';
import { deliver, openJobs, runOutbox } from '../../support/outbox.ts';
import { loadProject } from '../../support/project.ts';

const jobs = (...args: string[]) => operate('jobs', args);

test('a table without open or failed jobs says so', async () => {
  await loadProject();
  expect(await jobs('list')).toEqual({ code: 0, stdout: 'No job is open, and none has failed.\n', stderr: '' });
});

test('a failed campaign is listed, resumed by the first column, and no longer listed when it is done', async () => {
  const project = await loadProject();
  const body = { vouchers_count: 20 };
  const created = await caller(createHandler)({ headers: project.credentials, body });
  const [job = {}] = await openJobs(project.id);
  const pk = String(job.pk);
  const { dynamodb } = testDependencies();
  const send = (command: { input: { Statements?: unknown } }) =>
    command.input.Statements ? Promise.reject(new Error('broken')) : dynamodb.send(command as never);
  const broken = testDependencies({ dynamodb: Object.assign(Object.create(dynamodb), { send }) });
  for (let attempt = 0; attempt < maxAttempts; attempt++) await deliver([job], broken);

  const listed = async () => (await jobs('list')).stdout.split('\n').find((line) => line.startsWith(`${pk}\t`));
  expect(await listed()).toBe(
    `${pk}\tgenerate-codes\tFAILED\t${created.body.id}\t${maxAttempts}\t2026-06-15T12:00:00.000Z`,
  );
  const would = await jobs('resume', pk, '--dry-run');
  expect([would.code, would.stdout]).toEqual([0, `${pk} is FAILED and can be resumed. Nothing was written.\n`]);
  expect(await openJobs(project.id)).toEqual([]);

  expect(await jobs('resume', pk)).toEqual({ code: 0, stdout: `${pk} is resumed\n`, stderr: '' });
  expect(await listed()).toContain('\tOPEN\t');
  await runOutbox(project.id);
  expect(await listed()).toBeUndefined();
  expect(await jobs('resume', pk)).toMatchObject({ code: 1, stderr: expect.stringContaining(pk) });
});

test.each([
  [['resume'], 'JOB is required'],
  [['list', 'x'], 'list accepts no argument'],
  [['stop'], '"stop" is none of list, resume'],
])('%j is refused as a wrong command line', async (args, words) => {
  expect(await jobs(...args)).toMatchObject({ code: 2, stderr: expect.stringContaining(words) });
});
