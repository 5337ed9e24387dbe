import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from 'vitest';
import { handler as createHandler } from '../../../functions/create-campaign.ts';
import { handler as getHandler } from '../../../functions/get-campaign.ts';
import { handler as voucherHandler } from '../../../functions/get-voucher.ts';
import { handler as updateHandler } from '../../../functions/update-campaign.ts';
import { maxAttempts } from '../../../lib/campaigns/generation/generate.ts';
import { processRecords, type StreamRecord } from '../../../lib/outbox/worker.ts';
import { caller } from '../../support/call.ts';
import { ownTable, testDependencies } from '../../support/dependencies.ts';
import { generationRecords, itemsOf, recordOf, runOutbox } from '../../support/outbox.ts';
import { loadProject } from '../../support/project.ts';

const long = Boolean(process.env.LONG_TESTS);

/** A project in a table of its own, and one container that serves it. */
async function newWorld(lists: Record<string, unknown> = {}) {
  const dependencies = testDependencies({ tableName: await ownTable() });
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

const items = ({ project, dependencies }: World, kind: string) => itemsOf(project.id, kind, dependencies);
const run = ({ project, dependencies }: World) => runOutbox(project.id, dependencies);
const records = ({ project, dependencies }: World) => generationRecords(project.id, dependencies);

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

const count = long ? 100_000 : 2_200;

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
  for (let index = 0; index < count; index += Math.ceil(count / 200)) {
    const { body } = await get({ params: { code: codes[index] ?? '' }, headers: world.project.credentials });
    expect(body).toMatchObject({
      code: codes[index],
      campaign: 'Sale',
      active: true,
      discount,
      redemption: { quantity: 1, redeemed_quantity: 0 },
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
  const campaignId = await create(world, { vouchers_count: 2_500 });
  const [job] = await records(world);
  await processRecords([job as StreamRecord], world.dependencies);
  const chunks = (await items(world, 'GENERATION_CHUNK')).map((item) => recordOf(item));
  expect(chunks).toHaveLength(3);
  const seen: number[] = [];
  for (const chunk of chunks) {
    expect((await read(world, campaignId)).creation_status).toBe('IN_PROGRESS');
    await processRecords([chunk], world.dependencies);
    seen.push((await read(world, campaignId)).vouchers_count);
  }
  expect(seen.at(-1)).toBe(2_500);
  expect(seen).toEqual([...seen].sort((a, b) => a - b));
  await expectExact(world, campaignId, 2_500);
});

test(`an update while ${count} codes are generated shows in a voucher at once, and generation ends exact`, {
  timeout: 600_000,
}, async () => {
  const world = await newWorld();
  const { project, dependencies } = world;
  const voucher = { discount: { type: 'PERCENT', percent_off: 5 } };
  const campaignId = await create(world, { vouchers_count: count, voucher });
  const [job] = await records(world);
  await processRecords([job as StreamRecord], dependencies);
  const [first, ...others] = (await items(world, 'GENERATION_CHUNK')).map((item) => recordOf(item));
  await processRecords([first as StreamRecord], dependencies);
  const [code = ''] = await codesOf(world, campaignId);

  const running = processRecords(others, dependencies);
  const discount = { type: 'AMOUNT', amount_off: 700 };
  const updated = await caller(
    updateHandler,
    dependencies,
  )({
    params: { campaignId },
    headers: project.credentials,
    body: { discount },
  });
  expect(updated.body).toMatchObject({ creation_status: 'MODIFYING', vouchers_generation_status: 'MODIFYING' });
  const shown = await caller(voucherHandler, dependencies)({ params: { code }, headers: project.credentials });
  expect(shown.body).toMatchObject({ code, discount });

  await running;
  await run(world);
  await expectExact(world, campaignId, count);
});

/** A small generator, so that a round can be run again by its seed (mulberry32). */
function seeded(seed: number) {
  let state = seed;
  return (below: number): number => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return Math.floor((((t ^ (t >>> 14)) >>> 0) / 4294967296) * below);
  };
}

/** A worker that dies at a call of its own, before or after the table has done it; from then on nothing answers. */
function mortal(dynamodb: DynamoDBDocumentClient, random: (below: number) => number): DynamoDBDocumentClient {
  let left = 1 + random(90);
  const dead = () => Promise.reject(new Error('killed'));
  const send = async (command: Parameters<DynamoDBDocumentClient['send']>[0]) => {
    left -= 1;
    if (left < 0) return dead();
    if (left === 0 && random(2) === 0) return dead();
    const reply = await dynamodb.send(command);
    return left === 0 ? dead() : reply;
  };
  return Object.assign(Object.create(dynamodb), { send });
}

function shuffled<T>(items: readonly T[], random: (below: number) => number): T[] {
  const rest = [...items];
  return Array.from(items, () => rest.splice(random(rest.length), 1)).flat();
}

describe.each(Array.from({ length: long ? 50 : 6 }, (_, index) => index + 1))('seed %i', (seed) => {
  test('a worker killed at random, with records delivered up to three times and out of order, ends exact', {
    timeout: 120_000,
  }, async () => {
    const random = seeded(seed * 7919);
    const world = await newWorld();
    const vouchers_count = 1 + random(2_400);
    const campaignId = await create(world, { vouchers_count, voucher: { code_config: { length: 6 } } });
    const { dynamodb } = testDependencies();
    for (let deaths = 0; deaths < 6; deaths++) {
      const found = await records(world);
      const deliveries = shuffled(
        found.flatMap((record) => Array.from({ length: 1 + random(3) }, () => record)),
        random,
      );
      await processRecords(
        deliveries,
        testDependencies({ dynamodb: mortal(dynamodb, random), tableName: world.dependencies.tableName }),
      );
    }
    await run(world);
    await expectExact(world, campaignId, vouchers_count);
    await run(world);
    await expectExact(world, campaignId, vouchers_count);
  });
});

describe('a code space that is barely large enough', () => {
  test('for two campaigns gives each exactly its codes and overwrites none; a third that cannot fit ends FAILED with its count true', {
    timeout: 120_000,
  }, async () => {
    const world = await newWorld({
      vouchers: [{ code: 'T-000000', type: 'DISCOUNT_VOUCHER', additional_info: 'first' }],
    });
    const code_config = { pattern: 'T-######', charset: '0123' };
    const body = { vouchers_count: 1_800, voucher: { code_config } };
    const [first, second] = await Promise.all([create(world, body), create(world, body)]);
    await run(world);
    await expectExact(world, first as string, 1_800);
    await expectExact(world, second as string, 1_800);
    const third = await create(world, body);
    await run(world);
    await expectExact(world, third, 4_095 - 2 * 1_800, 'FAILED');
    const { body: old } = await caller(
      voucherHandler,
      world.dependencies,
    )({ params: { code: 'T-000000' }, headers: world.project.credentials });
    expect(old).toMatchObject({ additional_info: 'first', campaign: null });
    expect(await items(world, 'VOUCHER')).toHaveLength(4_096);
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

  test('names its record, and in the end fails the campaign with what was generated counted', {
    timeout: 120_000,
  }, async () => {
    const world = await newWorld();
    const campaignId = await create(world, { vouchers_count: 40 });
    const [job] = await records(world);
    await processRecords([job as StreamRecord], world.dependencies);
    const [chunk] = (await items(world, 'GENERATION_CHUNK')).map((item) => recordOf(item));
    const dependencies = broken('VOUCHER', world);
    for (let attempt = 1; attempt <= maxAttempts; attempt++) {
      const { batchItemFailures } = await processRecords([chunk as StreamRecord], dependencies);
      expect(batchItemFailures).toEqual([{ itemIdentifier: chunk?.dynamodb?.SequenceNumber }]);
    }
    expect(dependencies.lines.every((line) => JSON.parse(line).level === 'error')).toBe(true);
    expect(await processRecords([chunk as StreamRecord], dependencies)).toEqual({ batchItemFailures: [] });
    await expectExact(world, campaignId, 0, 'FAILED');
  });

  test('a job that cannot be fanned out fails the campaign too', async () => {
    const world = await newWorld();
    const campaignId = await create(world, { vouchers_count: 40 });
    const [job] = await records(world);
    const dependencies = broken('GENERATION_CHUNK', world);
    for (let attempt = 0; attempt <= maxAttempts; attempt++) await processRecords([job as StreamRecord], dependencies);
    await expectExact(world, campaignId, 0, 'FAILED');
  });

  test('a record of something else, or of a project that is gone, harms nothing', async () => {
    const other = recordOf({ pk: 'proj_x#VOUCHER#v', sk: 'VOUCHER' });
    const gone = recordOf({ pk: 'x', sk: 'GENERATION_JOB', project_id: 'proj_gone', campaign_id: 'camp_1' });
    const { batchItemFailures } = await processRecords([other, gone, { eventName: 'REMOVE' }], testDependencies());
    expect(batchItemFailures).toEqual([{ itemIdentifier: gone.dynamodb?.SequenceNumber }]);
  });
});

test('no code of a campaign is in the log', async () => {
  const world = await newWorld();
  const campaignId = await create(world, { vouchers_count: 3, voucher: { code_config: { prefix: 'SECRET-' } } });
  await run(world);
  await expectExact(world, campaignId, 3);
  expect(world.dependencies.lines.join()).not.toContain('SECRET-');
});
