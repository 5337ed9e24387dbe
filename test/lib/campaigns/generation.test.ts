import { randomUUID } from 'node:crypto';
import { BatchExecuteStatementCommand, type DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from 'vitest';
import { handler as createHandler } from '../../../functions/campaigns/create-campaign.ts';
import { handler as getHandler } from '../../../functions/campaigns/get-campaign.ts';
import { handler as updateHandler } from '../../../functions/campaigns/update-campaign.ts';
import { handler as voucherHandler } from '../../../functions/vouchers/get-voucher.ts';
import { matchesFilter } from '../../../infra/local/event-filter.ts';
import { settleDue } from '../../../lib/due.ts';
import { dispatch, recordFilters } from '../../../lib/jobs/dispatch.ts';
import { type JobItem, maxAttempts, maxSweeps } from '../../../lib/jobs/job.ts';
import { runMessages } from '../../../lib/jobs/messages.ts';
import { listJobs, resumeJob } from '../../../lib/jobs/operate.ts';
import { inBatches } from '../../../lib/table/batches.ts';
import { keyOf } from '../../../lib/table/keys.ts';
import { Table } from '../../../lib/table/table.ts';
import { worksWith } from '../../../lib/works.ts';
import { caller } from '../../support/call.ts';
import { newClient, ownTable, standingClock, testDependencies } from '../../support/dependencies.ts';
import { mortal } from '../../support/mortal.ts';
import { deliver, itemsOf, messagesFor, openJobs, recordOf, runOutbox } from '../../support/outbox.ts';
import { loadProject } from '../../support/project.ts';
import { seeded } from '../../support/seeded.ts';

const long = Boolean(process.env.LONG_TESTS);

/** A project in a table of its own, and one container that serves it. */
async function newWorld(lists: Record<string, unknown> = {}) {
  const dependencies = { ...testDependencies({ tableName: await ownTable() }), clock: standingClock() };
  return { dependencies, project: await loadProject(lists, dependencies) };
}

type World = Awaited<ReturnType<typeof newWorld>>;

async function create({ project, dependencies }: World, body: Record<string, unknown>): Promise<string> {
  const reply = await caller(createHandler, dependencies)({ headers: project.credentials, body });
  expect(reply.status).toBe(200);
  return reply.body.id;
}

async function read({ project, dependencies }: World, campaignId: string) {
  return (await caller(getHandler, dependencies)({ params: { campaignId }, headers: project.credentials })).body;
}

/** Fewer workers than the queue of the stack calls at once: here one engine with one core serves them all, and other tests. */
const lanes = 4;

async function deliverInLanes(chunks: readonly Record<string, unknown>[], dependencies: World['dependencies']) {
  for await (const some of inBatches(chunks, lanes)) await deliver(some, dependencies);
}

const items = ({ project, dependencies }: World, kind: string) => itemsOf(project.id, kind, dependencies);
const run = ({ project, dependencies }: World) => runOutbox(project.id, dependencies);
const open = ({ project, dependencies }: World) => openJobs(project.id, dependencies);
const chunksOf = async (world: World) => (await items(world, 'JOB')).filter(({ kind }) => kind === 'generate-chunk');

/** The codes that the campaign really has, by its vouchers in the table. */
async function codesOf(world: World, campaignId: string): Promise<string[]> {
  const vouchers = await items(world, 'VOUCHER');
  return vouchers.filter(({ campaign_id }) => campaign_id === campaignId).map(({ code }) => String(code));
}

async function expectExact(world: World, campaignId: string, count: number, status = 'DONE') {
  const codes = await codesOf(world, campaignId);
  expect(codes).toHaveLength(count);
  expect(new Set(codes).size).toBe(count);
  expect(await read(world, campaignId)).toMatchObject({
    vouchers_count: count,
    creation_status: status,
    vouchers_generation_status: status,
  });
  return codes;
}

const count = long ? 100_000 : 1_100;
/** More shows nothing more while something else goes on. */
const countBeside = long ? 10_000 : 1_100;

test(`${count} codes are all distinct, of the pattern, readable by code and id, and counted exactly`, {
  timeout: 600_000,
}, async () => {
  const world = await newWorld();
  const code_config = { pattern: 'SALE-########', charset: 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789' };
  const discount = { type: 'PERCENT', percent_off: 5 };
  const campaignId = await create(world, { name: 'Sale', vouchers_count: count, voucher: { code_config, discount } });
  await run(world);
  const codes = await expectExact(world, campaignId, count);
  for (const code of codes) expect(code).toMatch(/^SALE-[A-HJ-NP-Z2-9]{8}$/);
  const get = caller(voucherHandler, world.dependencies);
  for (let index = 0; index < count; index += Math.ceil(count / 50)) {
    const { body } = await get({ params: { code: codes[index] ?? '' }, headers: world.project.credentials });
    expect(body).toMatchObject({
      code: codes[index],
      campaign: 'Sale',
      active: true,
      discount,
      redemption: { quantity: null, redeemed_quantity: 0 },
      created_at: '2026-06-15T12:00:00.000Z',
    });
    expect((await get({ params: { code: body.id }, headers: world.project.credentials })).body).toEqual(body);
  }
});

test('a campaign without vouchers is done as soon as the worker has seen it', async () => {
  const world = await newWorld();
  const campaignId = await create(world, { vouchers_count: 0 });
  expect(await read(world, campaignId)).toMatchObject({ creation_status: 'IN_PROGRESS' });
  await run(world);
  await expectExact(world, campaignId, 0);
});

test('the count grows with the work done, and the campaign is readable all the while', async () => {
  const world = await newWorld();
  const campaignId = await create(world, { vouchers_count: 2_050 });
  await deliver(await open(world), world.dependencies);
  const chunks = await chunksOf(world);
  expect(chunks).toHaveLength(3);
  const seen: number[] = [];
  for (const chunk of chunks) {
    expect((await read(world, campaignId)).creation_status).toBe('IN_PROGRESS');
    await deliver([chunk], world.dependencies);
    seen.push((await read(world, campaignId)).vouchers_count);
  }
  expect(seen.at(-1)).toBe(2_050);
  expect(seen).toEqual([...seen].sort((a, b) => a - b));
  await expectExact(world, campaignId, 2_050);
});

test(`an update while ${countBeside} codes are generated shows in a voucher at once, and generation ends exact`, {
  timeout: 600_000,
}, async () => {
  const world = await newWorld();
  const { project, dependencies } = world;
  const voucher = { discount: { type: 'PERCENT', percent_off: 5 } };
  const campaignId = await create(world, { vouchers_count: countBeside, voucher });
  await deliver(await open(world), dependencies);
  const [first = {}, ...others] = await chunksOf(world);
  await deliver([first], dependencies);
  const [code = ''] = await codesOf(world, campaignId);

  const running = deliverInLanes(others, dependencies);
  const discount = { type: 'AMOUNT', amount_off: 700 };
  // Endpoints are containers beside those of the workers: their calls do not wait for the workers' connections.
  const beside = { ...dependencies, dynamodb: newClient() };
  const updated = await caller(
    updateHandler,
    beside,
  )({
    params: { campaignId },
    headers: project.credentials,
    body: { discount },
  });
  const modifying = { creation_status: 'MODIFYING', vouchers_generation_status: 'MODIFYING' };
  expect(updated).toMatchObject({ status: 200, body: modifying });
  const shown = await caller(voucherHandler, beside)({ params: { code }, headers: project.credentials });
  expect(shown.body).toMatchObject({ code, discount });

  await running;
  await run(world);
  await expectExact(world, campaignId, countBeside);
});

function shuffled<T>(items: readonly T[], random: (below: number) => number): T[] {
  const rest = [...items];
  return Array.from(items, () => rest.splice(random(rest.length), 1)).flat();
}

describe.each(Array.from({ length: long ? 25 : 1 }, (_, index) => index + 1))('seed %i', (seed) => {
  test('a worker killed at random, with records delivered up to three times and out of order, ends exact', async () => {
    const random = seeded(seed * 7919);
    const world = await newWorld();
    const vouchers_count = 1 + random(long ? 2_400 : 1_200);
    const campaignId = await create(world, { vouchers_count, voucher: { code_config: { length: 6 } } });
    for (let deaths = 0; deaths < 6; deaths++) {
      const found = await open(world);
      const deliveries = shuffled(
        found.flatMap((job) => Array.from({ length: 1 + random(3) }, () => job)),
        random,
      );
      const { tableName } = world.dependencies;
      await deliver(deliveries, mortal(1 + random(90), random(2) === 0, { tableName }));
    }
    await run(world);
    await expectExact(world, campaignId, vouchers_count);
    await run(world);
    await expectExact(world, campaignId, vouchers_count);
  });
});

describe('a code space that is barely large enough', () => {
  test('for two campaigns gives each exactly its codes and overwrites none; a third that cannot fit ends FAILED with its count true', async () => {
    const world = await newWorld({
      vouchers: [{ code: 'T-00000', type: 'DISCOUNT_VOUCHER', additional_info: 'first' }],
    });
    const code_config = { pattern: 'T-#####', charset: '0123' };
    const body = { vouchers_count: 450, voucher: { code_config } };
    const [first, second] = await Promise.all([create(world, body), create(world, body)]);
    await run(world);
    await expectExact(world, first as string, 450);
    await expectExact(world, second as string, 450);
    const third = await create(world, body);
    await run(world);
    await expectExact(world, third, 1_023 - 2 * 450, 'FAILED');
    const { body: old } = await caller(
      voucherHandler,
      world.dependencies,
    )({ params: { code: 'T-00000' }, headers: world.project.credentials });
    expect(old).toMatchObject({ additional_info: 'first', campaign: null });
    expect(await items(world, 'VOUCHER')).toHaveLength(1_024);
  });
});

describe('what keeps failing', () => {
  const broken = (kind: string, { dependencies: { tableName } }: World) => {
    const { dynamodb } = testDependencies();
    const send = (command: { input: { Statements?: { Parameters?: unknown[] }[] } }) =>
      command.input.Statements?.some(({ Parameters }) => Parameters?.includes(kind))
        ? Promise.reject(new Error('broken'))
        : dynamodb.send(command as never);
    return testDependencies({ dynamodb: Object.assign(Object.create(dynamodb), { send }), tableName });
  };

  test('is tried again later each time, and in the end fails the campaign with what was generated counted', async () => {
    const world = await newWorld();
    const campaignId = await create(world, { vouchers_count: 40 });
    await deliver(await open(world), world.dependencies);
    const [chunk = {}] = await chunksOf(world);
    const dependencies = broken('VOUCHER', world);
    for (let attempt = 1; attempt <= maxAttempts; attempt++) {
      expect((await read(world, campaignId)).creation_status).toBe('IN_PROGRESS');
      expect(await deliver([chunk], dependencies)).toEqual({ batchItemFailures: [] });
    }
    const { messages } = dependencies.queues;
    expect(messages).toHaveLength(maxAttempts - 1);
    expect(messages[0]).toMatchObject({ queue: 'generation', delayInS: 2 });
    expect(messages.at(-1)).toMatchObject({ delayInS: 900 });
    expect(JSON.parse(dependencies.lines.at(-1) ?? '')).toMatchObject({ level: 'error', given_up: true });
    await expectExact(world, campaignId, 0, 'FAILED');
  });

  test('a job that cannot be fanned out fails the campaign too', async () => {
    const world = await newWorld();
    const campaignId = await create(world, { vouchers_count: 40 });
    const jobs = await open(world);
    const dependencies = broken('JOB', world);
    for (let attempt = 0; attempt <= maxAttempts; attempt++) await deliver(jobs, dependencies);
    await expectExact(world, campaignId, 0, 'FAILED');
  });

  test('a job that is gone harms nothing, and one of a project that is gone is tried again', async () => {
    const dependencies = testDependencies();
    const pk = `proj_gone#JOB#${randomUUID()}`;
    const job = { pk, sk: 'JOB', kind: 'generate-codes', project_id: 'proj_gone', about: 'camp_1', state: 'OPEN' };
    expect(await deliver([job], dependencies)).toEqual({ batchItemFailures: [] });
    expect(dependencies.queues.messages).toEqual([]);
    const Item = { ...job, created_at: '2026-06-15T12:00:00.000Z' };
    await dependencies.dynamodb.send(new PutCommand({ TableName: dependencies.tableName, Item }));
    expect(await deliver([job], dependencies)).toEqual({ batchItemFailures: [] });
    expect(dependencies.queues.messages).toMatchObject([{ key: { pk, sk: 'JOB' }, delayInS: 2 }]);
  });
});

describe('a table that lacks capacity', () => {
  /** Refuses what `refuses` says, in part or whole. */
  function throttled(world: World, refuses: (statement: number) => boolean, whole = false) {
    let statement = 0;
    const { dynamodb } = testDependencies();
    const send = async (command: Parameters<DynamoDBDocumentClient['send']>[0]) => {
      const { Statements } = command.input as { Statements?: unknown[] };
      if (!Statements) return dynamodb.send(command);
      const taken = Statements.map(() => !refuses(statement++));
      if (whole && taken.includes(false)) {
        throw Object.assign(new Error('slow down'), { name: 'ThrottlingException' });
      }
      const forwarded = Statements.filter((_, index) => taken[index]);
      const input = { ...command.input, Statements: forwarded } as never;
      const reply = forwarded.length > 0 ? await dynamodb.send(new BatchExecuteStatementCommand(input)) : undefined;
      const answers = [...(reply?.Responses ?? [])];
      const Responses = taken.map((done) => (done ? answers.shift() : { Error: { Code: 'ThrottlingError' } }));
      return { Responses };
    };
    return testDependencies({
      dynamodb: Object.assign(Object.create(dynamodb), { send }),
      tableName: world.dependencies.tableName,
    });
  }

  test('for many times as many deliveries as failures are allowed fails nothing, and the codes are there in the end', async () => {
    const world = await newWorld();
    const campaignId = await create(world, { vouchers_count: 1_500 });
    await deliver(await open(world), world.dependencies);
    const chunks = await chunksOf(world);
    // A run that is out of time ends with the first wave that was not taken.
    const dependencies = throttled(world, () => true, true);
    for (let delivery = 0; delivery < maxAttempts * 2; delivery++) {
      const messages = messagesFor(chunks.map(keyOf));
      expect(await runMessages(messages, dependencies, worksWith(), () => true)).toEqual({ batchItemFailures: [] });
    }
    expect(dependencies.queues.messages).toHaveLength(maxAttempts * 2 * chunks.length);
    expect((await chunksOf(world)).map(({ attempts }) => attempts)).toEqual([0, 0]);
    expect((await read(world, campaignId)).creation_status).toBe('IN_PROGRESS');
    await run(world);
    await expectExact(world, campaignId, 1_500);
  });

  test('for part of what is inserted has the rest of it inserted again, with less on the way', async () => {
    const world = await newWorld();
    const campaignId = await create(world, { vouchers_count: 300 });
    await deliver(await open(world), world.dependencies);
    const allowed = new Set<number>();
    const { flow, ...dependencies } = throttled(world, (statement) => {
      allowed.add(flow.callsAtOnce);
      return statement % 3 === 0;
    });
    await deliver(await chunksOf(world), { ...dependencies, flow });
    expect([...allowed].sort()).toEqual([1, 2]);
    await run(world);
    await expectExact(world, campaignId, 300);
  });

  test('leaves a chunk where it was: what it had is not drawn again', async () => {
    const world = await newWorld();
    const campaignId = await create(world, { vouchers_count: 1_000 });
    await deliver(await open(world), world.dependencies);
    const [chunk = {}] = await chunksOf(world);
    await runMessages(
      messagesFor([keyOf(chunk)]),
      throttled(world, (statement) => statement >= 100, true),
      worksWith(),
      () => true,
    );
    const [left] = await chunksOf(world);
    expect([left?.position, left?.taken, left?.attempts]).toEqual([50, 50, 0]);
    await run(world);
    await expectExact(world, campaignId, 1_000);
  });
});

describe('the hourly sweep', () => {
  const later = (world: World, hours: number) => {
    world.dependencies.clock.advance(hours * 3_600 + 1);
    return settleDue(world.dependencies);
  };

  test('goes on with a job and with chunks whose messages were given up, and leaves nothing due', async () => {
    const world = await newWorld();
    const campaignId = await create(world, { vouchers_count: 1_200 });
    expect(await later(world, 0)).toMatchObject({ swept: 0 });
    expect(await later(world, 1)).toMatchObject({ swept: 1, failed: 0 });
    const { messages } = world.dependencies.queues;
    const work = () =>
      runMessages(messagesFor(messages.splice(0).map(({ key }) => key)), world.dependencies, worksWith());
    await work();
    expect(await later(world, 1)).toMatchObject({ swept: 3 });
    await work();
    await expectExact(world, campaignId, 1_200);
    expect(await later(world, 1)).toMatchObject({ swept: 0, failed: 0 });
  });

  test('ends after a day what nobody works on, as FAILED with what is there counted', async () => {
    const world = await newWorld();
    const campaignId = await create(world, { vouchers_count: 1_200 });
    await deliver(await open(world), world.dependencies);
    const [chunk = {}] = (await chunksOf(world)).filter(({ index }) => index === 0);
    const { dynamodb } = testDependencies();
    let inserts = 0;
    const dying = async (command: Parameters<DynamoDBDocumentClient['send']>[0]) => {
      if (command instanceof BatchExecuteStatementCommand) inserts += 1;
      else if (inserts > 0) throw new Error('killed');
      return dynamodb.send(command);
    };
    await deliver([chunk], {
      ...world.dependencies,
      dynamodb: Object.assign(Object.create(dynamodb), { send: dying }),
    });
    for (let hour = 0; hour <= maxSweeps + 1; hour++) await later(world, 1);
    const { length } = await codesOf(world, campaignId);
    expect(length).toBeGreaterThan(0);
    await expectExact(world, campaignId, length, 'FAILED');
    expect(await open(world)).toEqual([]);
    expect(await later(world, 1)).toMatchObject({ swept: 0, failed: 0 });
  });

  test('ends the MODIFYING of a campaign whose record was given up', async () => {
    const world = await newWorld();
    const campaignId = await create(world, { vouchers_count: 0 });
    await run(world);
    const headers = world.project.credentials;
    const change = { params: { campaignId }, headers, body: { description: 'New' } };
    expect((await caller(updateHandler, world.dependencies)(change)).body.creation_status).toBe('MODIFYING');
    expect(await later(world, 1)).toMatchObject({ swept: 1 });
    const { messages } = world.dependencies.queues;
    await runMessages(messagesFor(messages.map(({ key }) => key)), world.dependencies, worksWith());
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

  test('resumes a campaign that has failed: it ends with every code, those that it had included', async () => {
    const world = await newWorld();
    const campaignId = await create(world, { vouchers_count: 1_200 });
    await deliver(await open(world), world.dependencies);
    const [first = {}, ...others] = await chunksOf(world);
    await deliver([first], world.dependencies);
    const { dynamodb } = testDependencies();
    let calls = 0;
    const failing = (command: Parameters<DynamoDBDocumentClient['send']>[0]) =>
      command instanceof BatchExecuteStatementCommand && ++calls > 3
        ? Promise.reject(new Error('broken'))
        : dynamodb.send(command);
    const broken = { ...world.dependencies, dynamodb: Object.assign(Object.create(dynamodb), { send: failing }) };
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

  test('resumes one that is stuck, and its record leads to the queue again', async () => {
    const world = await newWorld();
    const campaignId = await create(world, { vouchers_count: 10 });
    const [job] = await listed(world);
    expect(job).toMatchObject({ state: 'OPEN', about: campaignId });
    await resumeJob(tableOf(world), job as JobItem, world.dependencies.clock());
    const [reopened = {}] = await open(world);
    const record = recordOf(reopened, 'MODIFY', { ...reopened, state: 'FAILED' });
    expect(recordFilters.some((filter) => matchesFilter(filter, record))).toBe(true);
    await dispatch([record], world.dependencies.queues);
    expect(world.dependencies.queues.messages).toEqual([{ queue: 'generation', key: keyOf(reopened) }]);
    await run(world);
    await expectExact(world, campaignId, 10);
  });
});

test('no code of a campaign is in the log', async () => {
  const world = await newWorld();
  const campaignId = await create(world, { vouchers_count: 3, voucher: { code_config: { prefix: 'SECRET-' } } });
  await run(world);
  await expectExact(world, campaignId, 3);
  expect(world.dependencies.lines.join()).not.toContain('SECRET-');
});
