import { BatchExecuteStatementCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from 'vitest';
import { type JobItem, maxAttempts, maxSweeps } from '#kernel/kit/jobs/job.ts';
import { runMessages } from '#kernel/kit/jobs/messages.ts';
import { listJobs, resumeJob } from '#kernel/kit/jobs/operate.ts';
import { keyOf } from '#kernel/table/keys.ts';
import { Table } from '#kernel/table/table.ts';
import { createWorks, settleDue, streamFilters, streamWork } from '#registry.ts';
import { handler as updateHandler } from '../../../../functions/campaigns/update-campaign.ts';
import { matchesFilter } from '../../../../infra/local/event-filter.ts';
import { caller } from '../../../support/call.ts';
import { changesOf } from '../../../support/changes.ts';
import { clientWith } from '../../../support/client.ts';
import {
  chunksOf,
  codesOf,
  create,
  expectExact,
  newWorld,
  open,
  read,
  run,
  type World,
} from '../../../support/generation.ts';
import { deliver, messagesFor, recordOf } from '../../../support/outbox.ts';

describe('the hourly sweep', () => {
  const later = (world: World, hours: number) => {
    world.dependencies.clock.advance(hours * 3_600 + 1);
    return settleDue(world.dependencies);
  };

  test('resumes a job and chunks that lost their messages, and leaves nothing due', async () => {
    const world = await newWorld();
    const campaignId = await create(world, { vouchers_count: 1_200 });
    expect(await later(world, 0)).toMatchObject({ swept: 0 });
    expect(await later(world, 1)).toMatchObject({ swept: 1, failed: 0 });
    const { messages } = world.dependencies.queues;
    const work = () =>
      runMessages(messagesFor(messages.splice(0).map(({ key }) => key)), world.dependencies, createWorks());
    await work();
    expect(await later(world, 1)).toMatchObject({ swept: 3 });
    await work();
    await expectExact(world, campaignId, 1_200);
    expect(await later(world, 1)).toMatchObject({ swept: 0, failed: 0 });
  });

  test('ends a job that nobody works on after a day as FAILED, and counts the existing codes', async () => {
    const world = await newWorld();
    const campaignId = await create(world, { vouchers_count: 1_200 });
    await deliver(await open(world), world.dependencies);
    const [chunk = {}] = (await chunksOf(world)).filter(({ index }) => index === 0);
    let inserts = 0;
    const dying = clientWith(world.dependencies.dynamodb, async (command, real) => {
      if (command instanceof BatchExecuteStatementCommand) inserts += 1;
      else if (inserts > 0) throw new Error('killed');
      return real();
    });
    await deliver([chunk], { ...world.dependencies, dynamodb: dying });
    for (let hour = 0; hour <= maxSweeps + 1; hour++) await later(world, 1);
    const { length } = await codesOf(world, campaignId);
    expect(length).toBeGreaterThan(0);
    await expectExact(world, campaignId, length, 'FAILED');
    expect(await open(world)).toEqual([]);
    expect(await later(world, 1)).toMatchObject({ swept: 0, failed: 0 });
  });

  test('ends the MODIFYING of a campaign that lost its record', async () => {
    const world = await newWorld();
    const campaignId = await create(world, { vouchers_count: 0 });
    await run(world);
    const headers = world.project.credentials;
    const change = { params: { campaignId }, headers, body: { description: 'New' } };
    expect((await caller(updateHandler, world.dependencies)(change)).body.creation_status).toBe('MODIFYING');
    expect(await later(world, 1)).toMatchObject({ swept: 1 });
    const { messages } = world.dependencies.queues;
    await runMessages(messagesFor(messages.map(({ key }) => key)), world.dependencies, createWorks());
    expect((await read(world, campaignId)).creation_status).toBe('DONE');
    expect(await later(world, 1)).toMatchObject({ swept: 0 });
  });
});

describe('an operator', () => {
  const tableOf = ({ dependencies: { dynamodb, tableName, clock } }: World) => new Table(dynamodb, tableName, clock());
  const listed = async (world: World) => {
    const jobs: JobItem[] = [];
    for await (const job of listJobs(tableOf(world))) jobs.push(job);
    return jobs;
  };

  test('resumes a failed campaign, which ends with every code, also those from before', async () => {
    const world = await newWorld();
    const campaignId = await create(world, { vouchers_count: 1_200 });
    await deliver(await open(world), world.dependencies);
    const [first = {}, ...others] = await chunksOf(world);
    await deliver([first], world.dependencies);
    let calls = 0;
    const failing = clientWith(world.dependencies.dynamodb, (command, real) =>
      command instanceof BatchExecuteStatementCommand && ++calls > 3 ? Promise.reject(new Error('broken')) : real(),
    );
    const broken = { ...world.dependencies, dynamodb: failing };
    for (let attempt = 0; attempt < maxAttempts; attempt++) await deliver(others, broken);
    const had = await codesOf(world, campaignId);
    await expectExact(world, campaignId, had.length, 'FAILED');
    const [job] = await listed(world);
    expect(job).toMatchObject({ kind: 'generate-codes', state: 'FAILED', about: campaignId });

    await resumeJob(tableOf(world), job as JobItem, world.dependencies.clock());
    expect(await read(world, campaignId)).toMatchObject({ creation_status: 'IN_PROGRESS', vouchers_count: had.length });
    await run(world);
    const codes = await expectExact(world, campaignId, 1_200);
    expect(codes).toEqual(expect.arrayContaining(had));
    expect(await listed(world)).toEqual([]);
    await expect(resumeJob(tableOf(world), job as JobItem, world.dependencies.clock())).rejects.toThrow();
  });

  test('resumes a stuck campaign, and its record leads to the queue again', async () => {
    const world = await newWorld();
    const campaignId = await create(world, { vouchers_count: 10 });
    const [job] = await listed(world);
    expect(job).toMatchObject({ state: 'OPEN', about: campaignId });
    await resumeJob(tableOf(world), job as JobItem, world.dependencies.clock());
    const [reopened = {}] = await open(world);
    const record = recordOf(reopened, 'MODIFY', { ...reopened, state: 'FAILED' });
    expect(streamFilters.some((filter) => matchesFilter(filter, record))).toBe(true);
    await streamWork().handOver(changesOf([record]), { queues: world.dependencies.queues, table: tableOf(world) });
    expect(world.dependencies.queues.messages).toEqual([{ queue: 'generation', key: keyOf(reopened) }]);
    await run(world);
    await expectExact(world, campaignId, 10);
  });
});
