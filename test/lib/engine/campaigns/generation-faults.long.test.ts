import { randomUUID } from 'node:crypto';
import { BatchExecuteStatementCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from 'vitest';
import { maxAttempts } from '#kernel/kit/jobs/job.ts';
import { runMessages } from '#kernel/kit/jobs/messages.ts';
import { keyOf } from '#kernel/table/keys.ts';
import { createWorks } from '#registry.ts';
import { type Command, clientWith } from '../../../support/client.ts';
import { testDependencies } from '../../../support/dependencies.ts';
import { chunksOf, create, expectExact, newWorld, open, read, run, type World } from '../../../support/generation.ts';
import { mortal } from '../../../support/mortal.ts';
import { deliver, messagesFor } from '../../../support/outbox.ts';
import { isLong } from '../../../support/sampled.ts';
import { seeded } from '../../../support/seeded.ts';

function shuffled<T>(items: readonly T[], random: (below: number) => number): T[] {
  const rest = [...items];
  return Array.from(items, () => rest.splice(random(rest.length), 1)).flat();
}

describe.each(Array.from({ length: isLong ? 8 : 1 }, (_, index) => index + 1))('seed %i', (seed) => {
  test('a worker killed at random, with records delivered up to three times and out of order, ends exact', async () => {
    const random = seeded(seed * 7919);
    const world = await newWorld();
    const vouchers_count = 1 + random(isLong ? 2_400 : 1_200);
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

describe('a permanent failure', () => {
  const broken = (kind: string, { dependencies: { dynamodb, tableName } }: World) => {
    const failing = clientWith(dynamodb, ({ input }, real) => {
      const statements = (input.Statements ?? []) as { Parameters?: unknown[] }[];
      return statements.some(({ Parameters }) => Parameters?.includes(kind))
        ? Promise.reject(new Error('broken'))
        : real();
    });
    return testDependencies({ dynamodb: failing, tableName });
  };

  test('is tried again later each time, and in the end fails the campaign and counts its codes', async () => {
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

  test('a missing job harms nothing, and a job of a missing project is tried again', async () => {
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
  /** Refuses calls for which `refuses` is true, in part or whole. */
  function throttled(world: World, refuses: (statement: number) => boolean, whole = false) {
    let statement = 0;
    const { dynamodb, tableName } = world.dependencies;
    const send = async ({ input }: Command, real: () => Promise<unknown>) => {
      const { Statements } = input as { Statements?: unknown[] };
      if (!Statements) return real();
      const taken = Statements.map(() => !refuses(statement++));
      if (whole && taken.includes(false)) {
        throw Object.assign(new Error('slow down'), { name: 'ThrottlingException' });
      }
      const forwarded = Statements.filter((_, index) => taken[index]);
      const some = new BatchExecuteStatementCommand({ ...input, Statements: forwarded } as never);
      const reply = forwarded.length > 0 ? await dynamodb.send(some) : undefined;
      const answers = [...(reply?.Responses ?? [])];
      const Responses = taken.map((done) => (done ? answers.shift() : { Error: { Code: 'ThrottlingError' } }));
      return { Responses };
    };
    return testDependencies({ dynamodb: clientWith(dynamodb, send), tableName });
  }

  test('causes no failure for many times as many deliveries as failures are allowed, and all codes exist in the end', async () => {
    const world = await newWorld();
    const campaignId = await create(world, { vouchers_count: 1_500 });
    await deliver(await open(world), world.dependencies);
    const chunks = await chunksOf(world);
    // A run that is out of time ends with the first wave that was refused.
    const dependencies = throttled(world, () => true, true);
    for (let delivery = 0; delivery < maxAttempts * 2; delivery++) {
      const messages = messagesFor(chunks.map(keyOf));
      expect(await runMessages(messages, dependencies, createWorks(), () => true)).toEqual({ batchItemFailures: [] });
    }
    expect(dependencies.queues.messages).toHaveLength(maxAttempts * 2 * chunks.length);
    expect((await chunksOf(world)).map(({ attempts }) => attempts)).toEqual([0, 0]);
    expect((await read(world, campaignId)).creation_status).toBe('IN_PROGRESS');
    await run(world);
    await expectExact(world, campaignId, 1_500);
  });

  test('for a part of the inserts makes the run insert the rest again, with fewer calls at once', async () => {
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

  test('leaves a chunk at its position: the codes that it had are not drawn again', async () => {
    const world = await newWorld();
    const campaignId = await create(world, { vouchers_count: 1_000 });
    await deliver(await open(world), world.dependencies);
    const [chunk = {}] = await chunksOf(world);
    await runMessages(
      messagesFor([keyOf(chunk)]),
      throttled(world, (statement) => statement >= 100, true),
      createWorks(),
      () => true,
    );
    const [left] = await chunksOf(world);
    expect([left?.position, left?.taken, left?.attempts]).toEqual([50, 50, 0]);
    await run(world);
    await expectExact(world, campaignId, 1_000);
  });
});
